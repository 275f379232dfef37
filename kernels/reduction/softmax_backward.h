// Gradients of softmax and log_softmax, computed from their results.
//
// The gradient is row-major and has grad_output's sizes; on CUDA its dtype is `input_dtype`. In the constraints, `op`
// is the op's name:
//
// [op.C1]  grad_output and output have equal dtypes and sizes. For log_softmax on the CPU, output may have more
//          elements and other sizes: its first elements in row-major order are used.
// [op.C2]  on CUDA, input_dtype is grad_output's dtype, or f16 if grad_output is f32. On other devices only f16 with an
//          f32 grad_output is refused, and the result has grad_output's dtype.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/reduction/softmax_backward.h"

namespace ersatz::op_softmax_backward {

/// Returns output * (grad_output - sum(grad_output * output)). The sum is along `dim`.
inline constexpr TypedSchema kSoftmax{
    "aten::_softmax_backward_data(Tensor grad_output, Tensor output, int dim, ScalarType input_dtype) -> Tensor"};
/// Returns grad_output - exp(output) * sum(grad_output). The sum is along `dim`.
inline constexpr TypedSchema kLogSoftmax{
    "aten::_log_softmax_backward_data(Tensor grad_output, Tensor output, int dim, ScalarType input_dtype) -> Tensor"};
inline constexpr Schemas kEach{kSoftmax, kLogSoftmax};

}  // namespace ersatz::op_softmax_backward
