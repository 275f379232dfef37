// Gradients of activations: an incoming gradient times the derivative at the activation's input, or at its result.
//
// All are elementwise over their tensors, which promote and broadcast as those of `mul` do. Constraints, where `op` is
// the op's name:
//
// [op.C1]  Parameters are real numbers that fit what the loop converts them to: of shrinking, the common dtype, of
//          others what is computed in, f32 for halves.
// [elu_backward.C2]  From the result there is no derivative for a negative alpha.
// [leaky_relu_backward.C2]  From the result there is no derivative for a negative slope.
// [gelu_backward.C2]  `approximate` is `none` or `tanh`.
// [gelu_backward.C3]  On the CPU, without approximation, `self` row-major, f32 or bf16 and of more than one element:
//           grad_output has its shape, and neither it nor a written gradient is f64, complex or a wide integer, nor f16
//           beside bf16. oneDNN computes it there: it does not broadcast, and converts no others.
// [mish_backward.C2]  The result has self's dtype, to which the common dtype can be cast.
#pragma once

#include "runtime/op/dispatch.h"
#include "runtime/op/typed_schema.h"
#include "typed/pointwise/activation_backward.h"

namespace ersatz::op_activation_backward {

/// `self_or_result` is the result of elu where `is_result`.
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
/// `self` is the result of leaky_relu where `self_is_result`.
inline constexpr TypedSchema kLeakyRelu{
    "aten::leaky_relu_backward(Tensor grad_output, Tensor self, Scalar negative_slope, bool self_is_result) -> Tensor"};
/// 0 outside of [eps, 1 - eps]; without an eps of at least 0, NaN outside of [0, 1].
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
