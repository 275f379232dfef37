// Losses that depend on the difference of two tensors, element by element, and their gradients.
//
// The operands broadcast. A loss without reduction has the layout of the difference. A gradient is row-major and has
// self's dtype. Constraints. In labels, `op` is the op's name:
//
// [mse_loss.C2] [smooth_l1_loss.C2]  reduction is 0, 1 or 2.
// [smooth_l1_loss.C3]  beta is not negative.
// [huber_loss.C3]  delta is positive.
// [huber_loss.C4] [op.C4]  The common dtype can be cast to self's dtype, which is the dtype of the loss and of
// gradients.
// [op.C1]  The sizes broadcast.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/loss/pointwise_loss.h"

namespace ersatz::op_pointwise_loss {

/// The loss is (self - target)^2.
inline constexpr TypedSchema kMse{"aten::mse_loss(Tensor self, Tensor target, int reduction=1) -> Tensor"};
/// The loss is half the square of the difference divided by beta if |self - target| < beta, else |self - target| - beta
/// / 2.
inline constexpr TypedSchema kSmoothL1{
    "aten::smooth_l1_loss(Tensor self, Tensor target, int reduction=1, float beta=1.) -> Tensor"};
/// The loss is half the square of the difference if |self - target| <= delta, else delta * (|self - target| - delta /
/// 2).
inline constexpr TypedSchema kHuber{
    "aten::huber_loss(Tensor self, Tensor target, int reduction=1, float delta=1.) -> Tensor"};
inline constexpr Schemas kLosses{kMse, kSmoothL1, kHuber};

inline constexpr TypedSchema kMseBackward{
    "aten::mse_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction) -> Tensor"};
inline constexpr TypedSchema kSmoothL1Backward{
    "aten::smooth_l1_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction, float beta) -> "
    "Tensor"};
inline constexpr TypedSchema kHuberBackward{
    "aten::huber_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction, float delta) -> Tensor"};
inline constexpr Schemas kGradients{kMseBackward, kSmoothL1Backward, kHuberBackward};

}  // namespace ersatz::op_pointwise_loss
