// log_sigmoid_forward returns the result and a buffer for the gradient: exp(-|x|) on the CPU, an empty tensor on CUDA.
//
// [log_sigmoid_backward.C1] the sizes of gradient, input and buffer broadcast (on CUDA the buffer is ignored).
// [log_sigmoid_backward.C2] gradient, input and buffer have one dtype.
//
// On the CPU, results of log_sigmoid_forward are row-major. Source: log sigmoid(x) = min(x, 0) - log1p(exp(-|x|)).
#pragma once

#include "runtime/op/dispatch.h"
#include "runtime/op/typed_schema.h"
#include "typed/pointwise/log_sigmoid.h"

namespace ersatz::op_log_sigmoid {

inline constexpr TypedSchema kForward{"aten::log_sigmoid_forward(Tensor self) -> (Tensor output, Tensor buffer)"};
inline constexpr TypedSchema kBackward{
    "aten::log_sigmoid_backward(Tensor grad_output, Tensor self, Tensor buffer) -> Tensor"};

}  // namespace ersatz::op_log_sigmoid
