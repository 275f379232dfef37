#include "kernels/shape/atleast.h"

#include "kernels/shape/infer_size.h"
#include "kernels/shape/reshape.h"
#include "kernels/shape/squeeze.h"
#include "kernels/shape/view.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_atleast {
namespace {

template <int rank>
Tensor widened(const Tensor& self) {
  if (self.dim() >= rank) return self;
  if (self.dim() == 0) return ops::reshape(self, DimVec(static_cast<size_t>(rank), SymInt(1)));
  if (self.dim() == 2) return ops::unsqueeze(self, -1);
  const Tensor row = ops::unsqueeze(self, 0);
  return rank == 2 ? row : ops::unsqueeze(row, -1);
}

template <int rank>
void one(CompositeCall& call) {
  call.returns(widened<rank>(call.tensor(kAtleast["self"])));
}

template <int rank>
void each(CompositeCall& call) {
  std::vector<Value> results;
  for (const Value& v : call.list(kAtleastSequence["tensors"])) results.push_back(widened<rank>(v.tensor()));
  call.returns(Value::list(results));
}

void unflatten(CompositeCall& call) {
  const TensorMeta& self = call.meta(kUnflattenInt["self"]);
  const std::span<const SymInt> asked = call.ints(kUnflattenInt["sizes"]);
  const int64_t dim = call.wrap_dim(call.integer(kUnflattenInt["dim"]), self.dim());
  call.require(!asked.empty(), "C3", "expects a size at least: self is {}", self);
  DimVec inferred, sizes;
  infer_size(call, asked, self.dim() == 0 ? SymInt(1) : self.sizes[static_cast<size_t>(dim)], self, inferred);
  for (int64_t d = 0; d < self.dim(); ++d) {
    if (d != dim) {
      sizes.push_back(self.sizes[static_cast<size_t>(d)]);
    } else {
      sizes.append(inferred.begin(), inferred.end());
    }
  }
  if (self.dim() == 0) sizes = inferred;
  call.returns(ops::view(call.tensor(kUnflattenInt["self"]), sizes));
}

template <int rank>
void add(Registry& r) {
  r.add(kAtleast.with(rank))
      .tag(Tag::View)
      .with_composite(one<rank>)
      .sample("f32[]")
      .sample("f32[3]")
      .sample("f32[2,3]{1,2}")
      .sample("f32[2,3,4,5]");
  r.add(kAtleastSequence.with(rank)).tag(Tag::View).with_composite(each<rank>).sample("[f32[], f32[3]]");
}

}  // namespace

void register_ops(Registry& r) {
  add<1>(r);
  add<2>(r);
  add<3>(r);
  r.add(kUnflattenInt)
      .tag(Tag::View)
      .with_composite(unflatten)
      .sample("f32[2,12], 1, [3, -1]")
      .sample("f32[12,2]{1,12}, -2, [3, 4]")
      .refuses("C1", "f32[12], 0, [-1, -1]")
      .refuses("C2", "f32[12], 0, [5, 2]")
      .refuses("C3", "f32[12], 0, []");
}

}  // namespace ersatz::op_atleast
