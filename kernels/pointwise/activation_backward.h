// Gradients of activations: an incoming gradient times the derivative at the activation's input, or at its result.
//
// All are elementwise. Their tensors promote and broadcast like those of `mul`. In the constraints, `op` is the op's
// name:
//
// [op.C1]  Parameters are real numbers that fit the dtype that the loop converts them to. It is the common dtype for
//          hardshrink and softshrink, the compute dtype (f32 for halves) for the others.
// [elu_backward.C2]  With `is_result`, alpha is not negative: the result does not determine the derivative then.
// [leaky_relu_backward.C2]  With `self_is_result`, the slope is not negative, for the same reason.
// [gelu_backward.C2]  `approximate` is `none` or `tanh`.
// [gelu_backward.C3]  On the CPU oneDNN computes the gradient if `approximate` is `none` and `self` is row-major, f32
//                     or bf16 and has more than one element. Then grad_output has self's shape. Neither grad_output nor
//                     a written gradient is f64, complex or a wide integer, and f16 does not go with bf16. oneDNN does
//                     not broadcast and converts no other dtypes.
// [mish_backward.C2]  The result has self's dtype, to which the common dtype can be cast.
#pragma once

#include "runtime/op/dispatch.h"
#include "runtime/op/typed_schema.h"
#include "typed/pointwise/activation_backward.h"

namespace ersatz::op_activation_backward {

/// With `is_result`, `self_or_result` is the result of elu, else its input.
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
/// With `self_is_result`, `self` is the result of leaky_relu, else its input.
inline constexpr TypedSchema kLeakyRelu{
    "aten::leaky_relu_backward(Tensor grad_output, Tensor self, Scalar negative_slope, bool self_is_result) -> Tensor"};
/// Returns 0 for self outside [eps, 1 - eps]. Without eps, or with a negative one, returns NaN for self outside [0, 1].
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
