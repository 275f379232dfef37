// The answer of ops of several operands of one dtype, whose result ATen makes with the first one's sizes.
#pragma once

#include "kernels/pointwise/iterator_layout.h"
#include "runtime/op/op_entry.h"
#include "runtime/tensor/layout.h"

namespace ersatz {

/// Row-major where the result has the first operand's sizes; of others ATen resizes it, to the strides of elementwise
/// results. [op.C1] the operands have one dtype. [op.C2] their sizes broadcast.
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
