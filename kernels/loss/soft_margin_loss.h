// Logistic losses: `soft_margin_loss` for targets -1 and 1, `binary_cross_entropy_with_logits` for probabilities.
//
// Operands broadcast as in the in-place operators that compute the losses. In soft_margin_loss, target broadcasts to
// `self`; in binary_cross_entropy_with_logits, `self` and the weights broadcast to target. Errors are those of the
// in-place operators. If reduction is not 0, 1 or 2, soft_margin_loss returns the loss of the first element, as in
// ATen.
//
// Formulas: soft_margin_loss is log(1 + exp(-self * target)). binary_cross_entropy_with_logits is (1 - target) * self -
// (1 + (pos_weight - 1) * target) * log sigmoid(self).
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
