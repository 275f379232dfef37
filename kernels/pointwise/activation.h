// Activations with parameters.
//
// All return a tensor of the input's sizes and dtype (logit: integers give the default dtype). In the constraints, `op`
// is the op's name:
//
// [op.C1]  Parameters are real numbers that fit the dtype that the loop converts them to. A limit, or a number that
//          elements are compared with or set to, must fit the tensor's dtype (-255 to 255 fit u8). Other parameters
//          must fit the compute dtype, f32 for halves.
// [celu.C2]  alpha is not 0.
// [hardtanh.C2]  For an integer dtype, at least one number satisfies each limit.
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
/// log(x / (1 - x)). With `eps`, x is first clamped to [eps, 1 - eps].
inline constexpr TypedSchema kLogit{"aten::logit(Tensor self, float? eps=None) -> Tensor"};
/// Replaces NaN, +Inf and -Inf. The defaults are 0 and the largest and smallest finite numbers of the dtype.
inline constexpr TypedSchema kNanToNum{
    "aten::nan_to_num(Tensor self, float? nan=None, float? posinf=None, float? neginf=None) -> Tensor"};
inline constexpr TypedSchema kSoftplus{"aten::softplus(Tensor self, Scalar beta=1, Scalar threshold=20) -> Tensor"};
inline constexpr TypedSchema kSoftshrink{"aten::softshrink(Tensor self, Scalar lambd=0.5) -> Tensor"};
inline constexpr TypedSchema kThreshold{"aten::threshold(Tensor self, Scalar threshold, Scalar value) -> Tensor"};
inline constexpr Schemas kEach{kCelu,  kElu,      kHardshrink, kHardtanh,   kLeakyRelu,
                               kLogit, kNanToNum, kSoftplus,   kSoftshrink, kThreshold};

}  // namespace ersatz::op_activation
