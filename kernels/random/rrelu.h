// Leaky rectifiers with a random slope. In training, each negative element has a slope drawn between `lower` and
// `upper`; otherwise all have the mean of the two.
//
// [rrelu.C1] `lower` and `upper` are real numbers.
// [rrelu.C2] `lower` is at most `upper`, except in forms with a noise argument.
// [rrelu.C3] `noise` has the sizes of `self`. In training the slopes are written to it, 1 for positive elements.
// [rrelu.C4] in training, `noise` has the dtype of `self`, a float.
// [rrelu.C5] in training, the range from lower to upper is finite, if an element of `self` is not positive.
// [rrelu.C6] in training, lower and upper fit the dtype of `self`.
//
// Each op has these constraints under its own name. Source: Xu et al., "Empirical Evaluation of Rectified Activations
// in Convolutional Network" (2015).
#pragma once

#include "runtime/op/schema_literal.h"

namespace ersatz::op_rrelu {

inline constexpr Schema kRrelu{
    "aten::rrelu(Tensor self, Scalar lower=0.125, Scalar upper=0.33333333333333331, bool training=False, Generator? "
    "generator=None) -> Tensor"};
inline constexpr Schema kInplace{
    "aten::rrelu_(Tensor(a!) self, Scalar lower=0.125, Scalar upper=0.33333333333333331, bool training=False, "
    "Generator? generator=None) -> Tensor(a!)"};
inline constexpr Schema kWithNoise{
    "aten::rrelu_with_noise(Tensor self, Tensor(b!) noise, Scalar lower=0.125, Scalar upper=0.33333333333333331, bool "
    "training=False, Generator? generator=None) -> Tensor"};
inline constexpr Schema kWithNoiseInplace{
    "aten::rrelu_with_noise_(Tensor(a!) self, Tensor(b!) noise, Scalar lower=0.125, Scalar upper=0.33333333333333331, "
    "bool training=False, Generator? generator=None) -> Tensor(a!)"};
inline constexpr Schema kWithNoiseOut{
    "aten::rrelu_with_noise.out(Tensor self, Tensor(b!) noise, Scalar lower=0.125, Scalar upper=0.33333333333333331, "
    "bool training=False, Generator? generator=None, *, Tensor(a!) out) -> Tensor(a!)"};
/// Exported programs have this op in place of `rrelu_with_noise`. The slopes are a second result, and `noise` does not
/// change. The first result has the strides of `self` if `self` is dense.
inline constexpr Schema kWithNoiseFunctional{
    "aten::rrelu_with_noise_functional(Tensor self, Tensor noise, Scalar lower=0.125, Scalar "
    "upper=0.33333333333333331, bool training=False, Generator? generator=None) -> (Tensor, Tensor noise_out)"};
inline constexpr Schema kBackward{
    "aten::rrelu_with_noise_backward(Tensor grad_output, Tensor self, Tensor noise, Scalar lower, Scalar upper, bool "
    "training, bool self_is_result) -> Tensor"};

}  // namespace ersatz::op_rrelu
