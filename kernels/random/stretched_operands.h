// The rule of ops with several operands of one dtype. ATen allocates their result with the first operand's sizes and
// resizes it if the operands broadcast to other sizes.
#pragma once

#include "kernels/pointwise/iterator_layout.h"
#include "runtime/op/op_entry.h"
#include "runtime/tensor/layout.h"

namespace ersatz {

/// Adds an output that is row-major if it has the first operand's sizes. Otherwise ATen resizes the result, which then
/// has the strides of an elementwise result. [op.C1] the operands have one dtype. [op.C2] the operands' sizes
/// broadcast.
inline void answer_stretched(RuleCall& call, std::span<const TensorMeta* const> operands) {
  const TensorMeta &first = *operands.front(), &last = *operands.back();
  TensorMeta out;
  BroadcastMismatch mismatch;
  call.require(iterator_layout(operands, std::nullopt, out, mismatch), "C2", "sizes must broadcast: {} and {}", first,
               last);
  for (const TensorMeta* t : operands)
    call.require(t->dtype == first.dtype, "C1", "expects one dtype: {} and {}", first, *t);
  call.require_dtype(first.dtype, call.op.dtypes_on(call.device.type));
  out.dtype = first.dtype;
  out.device = call.device;
  if (same_sizes(out.sizes, first.sizes)) out.strides = contiguous_strides(out.sizes);
  call.out.fresh(std::move(out));
}

}  // namespace ersatz
