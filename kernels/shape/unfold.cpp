#include "kernels/shape/unfold.h"

#include "kernels/shape/output_meta.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_unfold {
namespace {

void unfold_rule(RuleCall& call) {
  TensorImpl* self = call.tensor(kUnfold["self"]);
  const TensorMeta& from = self->meta;
  const int64_t dim = call.wrap_dim(call.integer(kUnfold["dimension"]), from.dim());
  const int64_t size = call.integer(kUnfold["size"]), step = call.integer(kUnfold["step"]);
  const SymInt whole = from.dim() == 0 ? SymInt(1) : from.sizes[dim];
  call.require(size >= 0, "C1", "size must not be negative: got {}", size);
  call.require(check_le(size, whole), "C2", "size {} must be at most that of dim {}, {}: self is {}", size, dim, whole,
               from);
  call.require(step > 0, "C3", "step must be positive: got {}", step);
  TensorMeta& out = start_alias(call, self);
  if (from.dim() > 0) {
    out.sizes[dim] = floor_div(whole - SymInt(size), step) + SymInt(1);
    out.strides[dim] = from.strides[dim] * SymInt(step);
  }
  out.sizes.push_back(size);
  out.strides.push_back(from.dim() == 0 ? SymInt(1) : from.strides[dim]);
}

void diagonal_rule(RuleCall& call) {
  TensorImpl* self = call.tensor(kDiagonal["self"]);
  const TensorMeta& from = self->meta;
  const int64_t dim1 = call.wrap_dim(call.integer(kDiagonal["dim1"]), from.dim());
  const int64_t dim2 = call.wrap_dim(call.integer(kDiagonal["dim2"]), from.dim());
  call.require(dim1 != dim2, "C1", "expects two different dims: {} and {}", dim1, dim2);
  const int64_t offset = call.sym(kDiagonal["offset"]).guard_int();
  SymInt rows = from.sizes[dim1], columns = from.sizes[dim2];
  (offset >= 0 ? columns : rows) -= SymInt(offset >= 0 ? offset : -offset);
  const SymInt length = sym_max(sym_min(rows, columns), 0);
  TensorMeta& out = start_view(call, self);
  for (int64_t d = 0; d < from.dim(); ++d) {
    if (d == dim1 || d == dim2) continue;
    out.sizes.push_back(from.sizes[d]);
    out.strides.push_back(from.strides[d]);
  }
  out.sizes.push_back(length);
  out.strides.push_back(from.strides[dim1] + from.strides[dim2]);
  if (offset != 0 && size_ne(length, 0)) {
    out.offset += offset > 0 ? SymInt(offset) * from.strides[dim2] : SymInt(-offset) * from.strides[dim1];
  }
}

}  // namespace

void register_ops(Registry& r) {
  r.add(kUnfold)
      .tag(Tag::View)
      .with_rule(unfold_rule)
      .sample("f32[7,2], 0, 3, 2")
      .refuses("C1", "f32[7], 0, -1, 1")
      .refuses("C2", "f32[7], 0, 8, 1")
      .refuses("C3", "f32[7], 0, 3, 0");
  r.add(kDiagonal)
      .tag(Tag::View | Tag::Core)
      .with_rule(diagonal_rule)
      .sample("f32[3,5]")
      .sample("f32[2,3,5], -1, 1, 2")
      .refuses("C1", "f32[3,5], 0, 1, 1");
}

}  // namespace ersatz::op_unfold
