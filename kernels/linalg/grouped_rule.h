// Checks and result metadata that the rules of grouped matrix products share.
#pragma once

#include "runtime/op/rule.h"
#include "runtime/tensor/layout.h"

namespace ersatz {

/// `left` and `right` are true if that operand is 3-d, with one matrix for each group. The offsets argument cuts a 2-d
/// operand into groups.
struct Groups {
  bool left, right;
  explicit Groups(const TensorMeta& a, const TensorMeta& b) : left(a.dim() == 3), right(b.dim() == 3) {}
  bool both() const { return left && right; }
};

/// Raises [op.C1] unless both operands are 2-d or 3-d, and their inner sizes agree. If both operands are 3-d, they must
/// have equally many groups.
inline Groups require_groups(const RuleCall& call, const TensorMeta& a, const TensorMeta& b) {
  const auto ranked = [](const TensorMeta& t) { return t.dim() == 2 || t.dim() == 3; };
  call.require(ranked(a) && ranked(b), "C1", "operands must be matrices or batches of them: they are {} and {}", a, b);
  const Groups groups(a, b);
  call.require(check_eq(a.sizes.back(), b.sizes[b.sizes.size() - 2]), "C1", "operands must fit: they are {} and {}", a,
               b);
  call.require(!groups.both() || check_eq(a.sizes[0], b.sizes[0]), "C1",
               "operands must have as many groups: they are {} and {}", a, b);
  return groups;
}

/// Raises [op.C3] unless the call has offsets if and only if an operand is 2-d. Offsets are i32, one for each group.
inline void require_offsets(const RuleCall& call, Position offsets, const Groups& groups, const TensorMeta& a,
                            const TensorMeta& b) {
  call.require(call.has(offsets) != groups.both(), "C3",
               "offsets go with a matrix on either side, and only with one: operands are {} and {}", a, b);
  if (!call.has(offsets)) return;
  const TensorMeta& offs = call.meta(offsets);
  call.require(offs.dim() == 1 && offs.dtype == DType::I32 && is_contiguous(offs), "C3",
               "offsets must be i32 in one dense dim: they are {}", offs);
  const bool as_many = groups.left    ? check_eq(offs.sizes[0], a.sizes[0])
                       : groups.right ? check_eq(offs.sizes[0], b.sizes[0])
                                      : true;
  call.require(as_many, "C3", "there must be an offset for each group: they are {}, operands are {} and {}", offs, a,
               b);
}

/// Returns the number of groups: the batch size of a 3-d operand, or the number of offsets if both operands are 2-d.
inline SymInt group_count(const RuleCall& call, Position offsets, const Groups& groups, const TensorMeta& a,
                          const TensorMeta& b) {
  return groups.left ? a.sizes[0] : groups.right ? b.sizes[0] : call.meta(offsets).sizes[0];
}

/// Adds the result's metadata to the call: 2-d if exactly one operand is 3-d, else 3-d. The rows of the result begin at
/// multiples of 16 bytes.
inline void answer_groups(RuleCall& call, Position offsets, const Groups& groups, const TensorMeta& a,
                          const TensorMeta& b, DType dtype) {
  TensorMeta& out = call.out.fresh(TensorMeta());
  out.dtype = dtype;
  out.device = call.device;
  if (groups.left == groups.right) out.sizes.push_back(group_count(call, offsets, groups, a, b));
  out.sizes.push_back(a.sizes[a.sizes.size() - 2]);
  out.sizes.push_back(b.sizes.back());
  const SymInt unit = 16 / item_size(dtype), row = floor_div(out.sizes.back() + unit - 1, unit) * unit;
  if (out.sizes.size() == 3) out.strides.push_back(row * out.sizes[1]);
  out.strides.push_back(row);
  out.strides.push_back(1);
}

}  // namespace ersatz
