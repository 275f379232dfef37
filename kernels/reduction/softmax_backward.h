// Gradients of softmax and log_softmax, computed from their results.
//
// The result is row-major and has grad_output's sizes; on CUDA its dtype is `input_dtype`. In the constraints, `op` is
// the op's name:
//
// [op.C1]  grad_output and output have equal dtypes and sizes. For log_softmax on the CPU, output may have more
//          elements, in any sizes: the first ones are used, in row-major order.
// [op.C2]  on CUDA input_dtype is the gradient's dtype, or f16 with f32 gradients. On other devices only f16 with f32
//          gradients is refused, and the result has the gradient's dtype.
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
