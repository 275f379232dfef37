#include "kernels/shape/narrow_range.h"

#include "runtime/sym/sym_value.h"

namespace ersatz {

NarrowRange narrow_range(const RuleCall& call, SymInt start) {
  const TensorMeta& from = call.meta(op_slice::kNarrow["self"]);
  call.require(from.dim() > 0, "C1", "expects a tensor with dims: self is {}", from);
  const SymInt length = call.sym(op_slice::kNarrow["length"]);
  call.require(check_ge(length, 0), "C2", "length must not be negative: got {}", length);
  const int64_t dim = call.wrap_dim(call.integer(op_slice::kNarrow["dim"]), from.dim());
  const SymInt size = from.sizes[static_cast<size_t>(dim)];
  call.require_index(check_ge(start, SymInt(0) - size) && check_le(start, size), "C3",
                     "start {} must lie in dim {} of size {}: self is {}", start, dim, size, from);
  if (!has_example(start)) {
    start = sym_le(0, start) ? start : where(truth_of({SymCompare::Lt, start, 0}), start + size, start);
  } else if (size_lt(start, 0)) {
    start += size;
  }
  call.require(check_le(start, size - length), "C4", "start {} and length {} must stay within dim {} of size {}", start,
               length, dim, size);
  return {dim, start, start + length};
}

NarrowRange narrow_range(const RuleCall& call) { return narrow_range(call, call.sym(op_slice::kNarrow["start"])); }

}  // namespace ersatz
