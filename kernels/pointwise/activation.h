// Activations with parameters: celu, elu, hardshrink, hardtanh, leaky_relu, logit, nan_to_num, softplus, softshrink and
// threshold.
//
// Each op returns a tensor with the input's sizes and dtype (logit: the default dtype for integers). In the
// constraints, `op` is the op's name:
//
// [op.C1]  Parameters are real numbers and fit a dtype. A limit, and a number that elements are compared with or set
//          to, fits the input's dtype (-255 to 255 fit u8). Any other parameter fits the dtype of the computation,
//          which is f32 if the input is f16 or bf16.
// [celu.C2]  alpha is not 0.
// [hardtanh.C2]  For an integer dtype, each limit is satisfied by at least one number of the dtype.
// [softshrink.C2]  lambd is finite and not negative.
#pragma once

#include <optional>

#include "runtime/op/dispatch.h"
#include "runtime/op/typed_schema.h"
#include "typed/pointwise/activation.h"

namespace ersatz::op_activation {

inline constexpr TypedSchema kCelu{"aten::celu(Tensor self, Scalar alpha=1.) -> Tensor"};
inline constexpr TypedSchema kElu{
    "aten::elu(Tensor self, Scalar alpha=1, Scalar scale=1, Scalar input_scale=1) -> Tensor"};
inline constexpr TypedSchema kHardshrink{"aten::hardshrink(Tensor self, Scalar lambd=0.5) -> Tensor"};
inline constexpr TypedSchema kHardtanh{"aten::hardtanh(Tensor self, Scalar min_val=-1, Scalar max_val=1) -> Tensor"};
inline constexpr TypedSchema kLeakyRelu{"aten::leaky_relu(Tensor self, Scalar negative_slope=0.01) -> Tensor"};
/// Returns log(x / (1 - x)). With `eps`, x is first clamped to [eps, 1 - eps].
inline constexpr TypedSchema kLogit{"aten::logit(Tensor self, float? eps=None) -> Tensor"};
/// Replaces NaN, +Inf and -Inf by the arguments. The defaults are 0 and the dtype's largest and smallest finite number.
inline constexpr TypedSchema kNanToNum{
    "aten::nan_to_num(Tensor self, float? nan=None, float? posinf=None, float? neginf=None) -> Tensor"};
inline constexpr TypedSchema kSoftplus{"aten::softplus(Tensor self, Scalar beta=1, Scalar threshold=20) -> Tensor"};
inline constexpr TypedSchema kSoftshrink{"aten::softshrink(Tensor self, Scalar lambd=0.5) -> Tensor"};
inline constexpr TypedSchema kThreshold{"aten::threshold(Tensor self, Scalar threshold, Scalar value) -> Tensor"};
inline constexpr Schemas kEach{kCelu,  kElu,      kHardshrink, kHardtanh,   kLeakyRelu,
                               kLogit, kNanToNum, kSoftplus,   kSoftshrink, kThreshold};

}  // namespace ersatz::op_activation
