// Leaky rectifiers with a random slope. In training, a slope between `lower` and `upper` is drawn for each negative
// element. Outside of training, all slopes are the mean of `lower` and `upper`.
//
// [rrelu.C1] `lower` and `upper` are real numbers.
// [rrelu.C2] `lower` is at most `upper`, except for ops with a noise argument.
// [rrelu.C3] `noise` has the sizes of `self`. In training, the slopes are written to it; for positive elements 1.
// [rrelu.C4] in training, `noise` has the dtype of `self`, a float.
// [rrelu.C5] in training, upper - lower is finite if an element of `self` is not positive.
// [rrelu.C6] in training, lower and upper fit the dtype of `self`.
//
// The labels of each op have the op's own name. Source: Xu et al., "Empirical Evaluation of Rectified Activations in
// Convolutional Network" (2015).
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
/// Exported programs call this op instead of `rrelu_with_noise`. The op returns the slopes as a second result and does
/// not change `noise`. The first result has the strides of `self` if `self` is dense.
inline constexpr Schema kWithNoiseFunctional{
    "aten::rrelu_with_noise_functional(Tensor self, Tensor noise, Scalar lower=0.125, Scalar "
    "upper=0.33333333333333331, bool training=False, Generator? generator=None) -> (Tensor, Tensor noise_out)"};
inline constexpr Schema kBackward{
    "aten::rrelu_with_noise_backward(Tensor grad_output, Tensor self, Tensor noise, Scalar lower, Scalar upper, bool "
    "training, bool self_is_result) -> Tensor"};

}  // namespace ersatz::op_rrelu
