// Gradients of softmax and of its logarithm, from their results.
//
// The result is row-major, has grad_output's sizes and, on cuda, the dtype `input_dtype`. Constraints, where `op` is
// the op's name:
//
// [op.C1]  grad_output and output have one dtype and one size. Of the logarithm's output there may be more elements, of
//     any sizes, but on cuda: the first count, in row-major order.
// [op.C2]  on cuda input_dtype is theirs, or f16 beside f32 ones; elsewhere only f16 beside f32 ones is refused, and
//          the result has theirs.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/reduction/softmax_backward.h"

namespace ersatz::op_softmax_backward {

/// output * (grad_output - sum(grad_output * output)), the sum along `dim`.
inline constexpr TypedSchema kSoftmax{
    "aten::_softmax_backward_data(Tensor grad_output, Tensor output, int dim, ScalarType input_dtype) -> Tensor"};
/// grad_output - exp(output) * sum(grad_output).
inline constexpr TypedSchema kLogSoftmax{
    "aten::_log_softmax_backward_data(Tensor grad_output, Tensor output, int dim, ScalarType input_dtype) -> Tensor"};
inline constexpr Schemas kEach{kSoftmax, kLogSoftmax};

}  // namespace ersatz::op_softmax_backward
