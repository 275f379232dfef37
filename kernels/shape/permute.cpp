#include "kernels/shape/permute.h"

#include "kernels/shape/alias.h"

#include "kernels/shape/dim_set.h"
#include "kernels/shape/output_meta.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_permute {
namespace {

void rule(RuleCall& call) {
  TensorImpl* self = call.tensor(kPermute["self"]);
  const TensorMeta& from = self->meta;
  const std::span<const SymInt> dims = call.ints(kPermute["dims"]);
  call.require(dims.size() == from.sizes.size(), "C1", "expects {} dims, got {}: self is {}", from.sizes.size(), dims,
               from);
  TensorMeta& out = start_view(call, self);
  DimSet seen;
  for (SymInt dim : dims) {
    const int64_t d = call.wrap_dim(dim.guard_int(), from.dim());
    call.require(seen.insert(d), "C2", "dim {} occurs twice in {}", d, dims);
    out.sizes.push_back(from.sizes[d]);
    out.strides.push_back(from.strides[d]);
  }
}

void move_dims(CompositeCall& call, std::span<const SymInt> source, std::span<const SymInt> destination) {
  static constexpr Schemas kArgs{kMovedimInt, kMovedimIntlist};
  call.require(source.size() == destination.size(), "C1", "expects as many sources as destinations: {} vs {}", source,
               destination);
  const int64_t rank = call.meta(kArgs["self"]).dim();
  DimVec order(static_cast<size_t>(rank), SymInt(-1));
  DimSet from, to;
  for (size_t i = 0; i < source.size(); ++i) {
    const int64_t s = call.wrap_dim(source[i].guard_int(), rank);
    const int64_t d = call.wrap_dim(destination[i].guard_int(), rank);
    call.require(from.insert(s) && to.insert(d), "C2", "no dim may occur twice: source {}, destination {}", source,
                 destination);
    if (rank > 0) order[d] = s;
  }
  int64_t next = 0;
  for (SymInt& d : order) {
    if (d.as_int() >= 0) continue;
    while (from.has(next)) ++next;
    d = next++;
  }
  const Tensor self = call.tensor(kArgs["self"]);
  call.returns(order.empty() ? ops::alias(self) : ops::permute(self, order));
}

void movedim_list(CompositeCall& call) {
  move_dims(call, call.ints(kMovedimIntlist["source"]), call.ints(kMovedimIntlist["destination"]));
}
void movedim_int(CompositeCall& call) {
  const SymInt source = call.sym(kMovedimInt["source"]), destination = call.sym(kMovedimInt["destination"]);
  move_dims(call, {&source, 1}, {&destination, 1});
}

}  // namespace

void register_ops(Registry& r) {
  r.add(kPermute)
      .tag(Tag::View | Tag::Core)
      .with_rule(rule)
      .sample("f32[2,3,4], [2, 0, 1]")
      .sample("f32[2,3], [-1, -2]")
      .refuses("C1", "f32[2,3], [0]")
      .refuses("C2", "f32[2,3], [0, 0]");
  r.add(kMovedimInt).tag(Tag::View).with_composite(movedim_int).sample("f32[2,3,4], 0, -1");
  r.add(kMovedimIntlist)
      .tag(Tag::View)
      .with_composite(movedim_list)
      .sample("f32[2,3,4], [0, 1], [2, 0]")
      .refuses("C1", "f32[2,3], [0], [0, 1]")
      .refuses("C2", "f32[2,3], [0, 0], [0, 1]");
}

}  // namespace ersatz::op_permute
