// Logistic losses: `soft_margin_loss` for targets -1 and 1, `binary_cross_entropy_with_logits` for probabilities.
//
// Operands broadcast as for the in-place operators that compute the losses: in soft_margin_loss the target to `self`,
// in the other `self` and the weights to the target. Errors are those of these operators. A reduction other than 0, 1
// and 2 returns the first soft margin loss, like in ATen.
//
// Source: log(1 + exp(-self * target)), and (1 - target) * self - (1 + (pos_weight - 1) * target) * log sigmoid(self).
#pragma once

#include "runtime/op/dispatch.h"
#include "runtime/op/typed_schema.h"
#include "typed/loss/soft_margin_loss.h"

namespace ersatz::op_soft_margin_loss {

inline constexpr TypedSchema kLoss{"aten::soft_margin_loss(Tensor self, Tensor target, int reduction=1) -> Tensor"};
inline constexpr TypedSchema kBackward{
    "aten::soft_margin_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction) -> Tensor"};
inline constexpr TypedSchema kWithLogits{
    "aten::binary_cross_entropy_with_logits(Tensor self, Tensor target, Tensor? weight=None, Tensor? pos_weight=None, "
    "int reduction=1) -> Tensor"};

}  // namespace ersatz::op_soft_margin_loss
