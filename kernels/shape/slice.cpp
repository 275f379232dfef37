#include "kernels/shape/slice.h"

#include "kernels/indexing/item.h"
#include "kernels/shape/narrow_range.h"
#include "kernels/shape/output_meta.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/slice_tags.h"
#include "runtime/sym/sym_value.h"

namespace ersatz::op_slice {
namespace {

/// Returns `bound` clamped to [0, size] as an expression. REQUIRES: `bound` or `size` depends on data, so no guard is
/// possible.
SymInt clamped(SymInt bound, SymInt size) {
  const SymInt above = sym_le(bound, size) ? bound : sym_min(bound, size);
  if (sym_le(0, bound)) return above;
  return where(truth_of({SymCompare::Lt, bound, 0}), sym_max(0, bound + size), above);
}

// Clamps a bound of a slice to [0, size]. First tries comparisons that need no guard, because programs write 0 and
// INT64_MAX for the whole dim.
SymInt clamp_bound(SymInt bound, SymInt size) {
  if (bound.is_int() && (bound.as_int() == 0)) return bound;
  if (bound.is_int() && bound.as_int() == INT64_MAX) return size;
  if (sym_eq(bound, size)) return size;
  if (!has_example(bound) || !has_example(size)) return clamped(bound, size);
  if (size_lt(bound, 0)) {
    bound += size;
    if (size_lt(bound, 0)) return 0;
  }
  // If bound and size are equal, either may be returned. Thanks to the choice of `<` or `<=`, the guard is `s0 <= 512`
  // in both cases: s0 is the bound, or s0 is the size.
  return (bound.is_int() ? size_lt(bound, size) : size_le(bound, size)) ? bound : size;
}

void slice_rule(RuleCall& call) {
  TensorImpl* self = call.tensor(kSliceTensor["self"]);
  const TensorMeta& from = self->meta;
  call.require_index(from.dim() > 0, "C1", "expects a tensor with dims: self is {}", from);
  const int64_t dim = call.wrap_dim(call.integer(kSliceTensor["dim"]), from.dim());
  const SymInt size = from.sizes[dim], step = call.sym(kSliceTensor["step"]);
  call.require(check_gt(step, 0), "C2", "step must be positive: got {}", step);
  const SymInt start = call.has(kSliceTensor["start"]) ? clamp_bound(call.sym(kSliceTensor["start"]), size) : SymInt(0);
  const SymInt end = call.has(kSliceTensor["end"]) ? clamp_bound(call.sym(kSliceTensor["end"]), size) : size;
  TensorMeta& out = start_alias(call, self);
  const SymInt length = end - start;
  if (sym_eq(length, size)) {
    // The slice is the whole dim: out keeps the size expression of self, and no guard is taken.
  } else if (!has_example(length)) {
    out.sizes[dim] = sym_le(0, length) ? length : sym_max(0, length);
  } else if (size_lt(length, 0)) {
    out.sizes[dim] = 0;
  } else {
    out.sizes[dim] = length;
  }
  if (!(step.is_int() && step.as_int() == 1)) {
    if (!(out.sizes[dim].is_int() && out.sizes[dim].as_int() == 0)) {
      out.sizes[dim] = floor_div(out.sizes[dim] - SymInt(1), step) + SymInt(1);
    }
    out.strides[dim] *= step;
  }
  if (!(start.is_int() && start.as_int() == 0)) out.offset += start * from.strides[dim];
}

void select_rule(RuleCall& call) {
  TensorImpl* self = call.tensor(kSelectInt["self"]);
  const TensorMeta& from = self->meta;
  call.require_index(from.dim() > 0, "C1", "expects a tensor with dims: self is {}", from);
  const int64_t dim = call.wrap_dim(call.integer(kSelectInt["dim"]), from.dim());
  const SymInt size = from.sizes[dim];
  SymInt index = call.sym(kSelectInt["index"]);
  const bool from_end = size_lt(index, 0);
  call.require_index(from_end ? check_ge(index + size, 0) : check_lt(index, size), "C2",
                     "index {} must lie in dim {} of size {}: self is {}", index, dim, size, from);
  if (from_end) index += size;
  TensorMeta& out = start_view(call, self);
  for (int64_t d = 0; d < from.dim(); ++d) {
    if (d == dim) continue;
    out.sizes.push_back(from.sizes[d]);
    out.strides.push_back(from.strides[d]);
  }
  out.offset += index * from.strides[dim];
}

void narrow(CompositeCall& call) {
  const NarrowRange range = narrow_range(call);
  // Passes on a negative dim unchanged, as at::narrow does, because traces show the arguments of `slice`.
  call.returns(ops::slice(call.tensor(kNarrow["self"]), call.integer(kNarrow["dim"]), range.start, range.end, 1));
}

void narrow_tensor(CompositeCall& call) {
  const Tensor start = call.tensor(kNarrowTensor["start"]);
  call.require(start.dim() == 0 && is_integer(start.dtype()), "C5",
               "start must be an integer tensor without dims: it is {}", start.meta());
  const NarrowRange range = narrow_range(call, ops::item(start).to_sym_int());
  call.returns(
      ops::slice(call.tensor(kNarrowTensor["self"]), call.integer(kNarrowTensor["dim"]), range.start, range.end, 1));
}

}  // namespace

void register_ops(Registry& r) {
  r.add(kSliceTensor)
      .tag(Tag::View | Tag::Core)
      .with_rule(slice_rule)
      .sample("f32[5,4], 0, 1, 4, 2")
      .sample("f32[5,4], 1, -3, 9223372036854775807")
      .refuses("C1", "f32[], 0, 0, 1")
      .refuses("C2", "f32[5], 0, 0, 4, 0");
  r.add(kSelectInt)
      .tag(Tag::View | Tag::Core | kSelectTag)
      .with_rule(select_rule)
      .sample("f32[2,3,4], 1, -1")
      .refuses("C1", "f32[], 0, 0")
      .refuses("C2", "f32[2,3], 0, 2");
  r.add(kNarrow)
      .tag(Tag::View)
      .with_composite(narrow)
      .sample("f32[5,4], 0, 1, 2")
      .refuses("C1", "f32[], 0, 0, 0")
      .refuses("C2", "f32[5,4], 0, 1, -1")
      .refuses("C3", "f32[5,4], 0, 6, 0")
      .refuses("C4", "f32[5,4], 0, 4, 2");
  r.add(kNarrowTensor)
      .tag(Tag::View | Tag::DataDependent)
      .with_composite(narrow_tensor)
      .devices({DeviceRule::Same, DeviceRule::Any, DeviceRule::Any, DeviceRule::Any})
      .sample("f32[5,4], 0, i64[], 2", 0, 2)
      .refuses("C5", "f32[5,4], 0, f32[], 2");
}

}  // namespace ersatz::op_slice
