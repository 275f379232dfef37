#include "kernels/indexing/masked_index.h"

#include "kernels/creation/full.h"
#include "kernels/indexing/index.h"
#include "kernels/indexing/masked_fill.h"
#include "kernels/pointwise/clamp.h"
#include "kernels/pointwise/pointwise.h"
#include "kernels/shape/clone.h"
#include "runtime/op/composite.h"
#include "runtime/op/registry.h"

namespace ersatz::op_masked_index {
namespace {

using Indices = std::vector<std::optional<Tensor>>;

Indices clamped(const CompositeCall& call) {
  const TensorMeta& self = call.meta(kEach["self"]);
  Indices result;
  for (const Value& v : call.list(kEach["indices"])) {
    if (v.is_none()) {
      result.push_back(std::nullopt);
      continue;
    }
    const Tensor& index = v.tensor();
    call.require(index.dtype() == DType::I64 || index.dtype() == DType::I32, "C1",
                 "indices must be i32 or i64: one is {}", index.meta());
    const size_t dim = result.size();
    if (dim >= self.sizes.size()) {  // the operator that is called next raises the error
      result.push_back(index);
      continue;
    }
    const SymInt size = self.sizes[dim];
    result.push_back(ops::clamp(index, Scalar(-size), Scalar(size - 1)));
  }
  return result;
}

Tensor outside(const CompositeCall& call) { return ops::logical_not(call.tensor(kEach["mask"])); }

void read(CompositeCall& call) {
  const Indices indices = clamped(call);
  const Tensor self = call.tensor(kMaskedIndex["self"]);
  const Scalar fill = call.scalar(kMaskedIndex["fill"]);
  if (!size_eq(self.numel(), 0)) {
    call.returns(ops::masked_fill(ops::index(self, indices), outside(call), fill));
    return;
  }
  DimVec sizes = self.sizes();
  for (size_t d = 0; d < sizes.size() && d < indices.size(); ++d) {
    if (indices[d] && size_eq(sizes[d], 0)) sizes[d] = 1;
  }
  const Tensor filled = ops::full(sizes, fill, {.dtype = self.dtype(), .device = self.device()});
  call.returns(ops::index(filled, indices));
}
void add(CompositeCall& call) {
  const Indices indices = clamped(call);
  const Tensor self = call.tensor(kMaskedIndexPut["self"]);
  if (size_eq(self.numel(), 0)) {
    call.returns(ops::clone(self));
    return;
  }
  const Tensor values = ops::masked_fill(call.tensor(kMaskedIndexPut["values"]), outside(call), Scalar(0));
  call.returns(ops::index_put(self, indices, values, true));
}

}  // namespace

void register_ops(Registry& r) {
  r.add(kMaskedIndex)
      .with_composite(read)
      .sample("f32[3,4], bool[2,2], [i64[2,1], i64[1,2]], 0.5", 0, 4)
      .refuses("C1", "f32[3], bool[2], [bool[3]], 0");
  r.add(kMaskedIndexPut)
      .with_composite(add)
      .sample("f32[3,4], bool[2,2], [i64[2,1], i64[1,2]], f32[2,2]", 0, 4)
      .refuses("C1", "f32[3], bool[2], [bool[3]], f32[2]");
}

}  // namespace ersatz::op_masked_index
