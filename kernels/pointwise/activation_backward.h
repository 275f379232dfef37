// Gradients of activations: grad_output times the derivative, which is computed from the activation's input or result.
//
// All ops are elementwise. Tensor arguments promote and broadcast like those of `mul`. In the constraints, `op` is the
// op's name:
//
// [op.C1]  Parameters are real numbers and fit a dtype. For hardshrink and softshrink this is the common dtype. For all
//          other ops it is the dtype of the computation: f32 if the common dtype is f16 or bf16.
// [elu_backward.C2]  With `is_result`, alpha is not negative, because the result would not determine the derivative.
// [leaky_relu_backward.C2]  With `self_is_result`, the slope is not negative, because the result would not determine
//                           the derivative.
// [gelu_backward.C2]  `approximate` is "none" or "tanh".
// [gelu_backward.C3]  On the CPU, oneDNN computes the gradient if `approximate` is "none" and `self` is row-major, f32
//                     or bf16 and has more than one element. Then grad_output has self's sizes, because oneDNN does not
//                     broadcast. Neither grad_output nor grad_input is f64, complex or a wide integer, or f16 with a
//                     bf16 self, because oneDNN does not convert these dtypes.
// [mish_backward.C2]  The common dtype can be cast to self's dtype, which is the dtype of the result.
#pragma once

#include "runtime/op/dispatch.h"
#include "runtime/op/typed_schema.h"
#include "typed/pointwise/activation_backward.h"

namespace ersatz::op_activation_backward {

/// `self_or_result` is the result of elu if `is_result` is true, else the input of elu.
inline constexpr TypedSchema kElu{
    "aten::elu_backward(Tensor grad_output, Scalar alpha, Scalar scale, Scalar input_scale, bool is_result, "
    "Tensor self_or_result) -> Tensor"};
inline constexpr TypedSchema kGelu{
    "aten::gelu_backward(Tensor grad_output, Tensor self, *, str approximate=\"none\") -> Tensor"};
inline constexpr TypedSchema kHardshrink{
    "aten::hardshrink_backward(Tensor grad_out, Tensor self, Scalar lambd) -> Tensor"};
inline constexpr TypedSchema kHardsigmoid{"aten::hardsigmoid_backward(Tensor grad_output, Tensor self) -> Tensor"};
inline constexpr TypedSchema kHardswish{"aten::hardswish_backward(Tensor grad_output, Tensor self) -> Tensor"};
inline constexpr TypedSchema kHardtanh{
    "aten::hardtanh_backward(Tensor grad_output, Tensor self, Scalar min_val, Scalar max_val) -> Tensor"};
/// `self` is the result of leaky_relu if `self_is_result` is true, else the input of leaky_relu.
inline constexpr TypedSchema kLeakyRelu{
    "aten::leaky_relu_backward(Tensor grad_output, Tensor self, Scalar negative_slope, bool self_is_result) -> Tensor"};
/// Returns 0 where self is outside [eps, 1 - eps]. If eps is None or negative, returns NaN where self is outside [0,
/// 1].
inline constexpr TypedSchema kLogit{"aten::logit_backward(Tensor grad_output, Tensor self, float? eps=None) -> Tensor"};
inline constexpr TypedSchema kMish{"aten::mish_backward(Tensor grad_output, Tensor self) -> Tensor"};
inline constexpr TypedSchema kSigmoid{"aten::sigmoid_backward(Tensor grad_output, Tensor output) -> Tensor"};
inline constexpr TypedSchema kSilu{"aten::silu_backward(Tensor grad_output, Tensor self) -> Tensor"};
inline constexpr TypedSchema kSoftplus{
    "aten::softplus_backward(Tensor grad_output, Tensor self, Scalar beta, Scalar threshold) -> Tensor"};
inline constexpr TypedSchema kSoftshrink{
    "aten::softshrink_backward(Tensor grad_output, Tensor self, Scalar lambd) -> Tensor"};
inline constexpr TypedSchema kTanh{"aten::tanh_backward(Tensor grad_output, Tensor output) -> Tensor"};
inline constexpr TypedSchema kThreshold{
    "aten::threshold_backward(Tensor grad_output, Tensor self, Scalar threshold) -> Tensor"};

}  // namespace ersatz::op_activation_backward
