// The negative log likelihood loss: minus the score of each target's class, weighted by class.
//
// The scores are [classes] or [batch, classes]; of the 2-d loss [batch, classes, height, width]. Targets equal to
// `ignore_index` count for nothing. A mean is over the weights of the targets, `total_weight` their sum (0 where
// nothing is reduced). Any reduction but none and mean is the sum. Where nothing counts, a mean is NaN; but of scores
// without a batch on CUDA it is 0, as in PyTorch. Constraints, where `op` is the op's name:
//
// [op.C1]  self and target have fitting ranks and sizes. Beside scores of one dim nll_loss_backward wants a target of
//          no dims, or of as many elements as there are classes, of which the first is the target.
// [op.C2]  weight, where given, has one element a class, and self's dtype.
// [op.C3]  target is i64, or u8 where there is no image.
// [op.C4]  the incoming gradient has an element for each loss, total_weight has one; both have self's dtype.
// [nll_loss2d_backward.layout]  the gradient, laid out like self or as it is written, is row-major.
// [op.value]  a target that is not ignored is a class.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/loss/nll_loss.h"

namespace ersatz::op_nll_loss {

inline constexpr TypedSchema kForward{
    "aten::nll_loss_forward(Tensor self, Tensor target, Tensor? weight, int reduction, SymInt ignore_index) -> (Tensor "
    "output, Tensor total_weight)"};
inline constexpr TypedSchema kForward2d{
    "aten::nll_loss2d_forward(Tensor self, Tensor target, Tensor? weight, int reduction, SymInt ignore_index) -> "
    "(Tensor output, Tensor total_weight)"};
inline constexpr TypedSchema kBackward{
    "aten::nll_loss_backward(Tensor grad_output, Tensor self, Tensor target, Tensor? weight, int reduction, SymInt "
    "ignore_index, Tensor total_weight) -> Tensor"};
inline constexpr TypedSchema kBackward2d{
    "aten::nll_loss2d_backward(Tensor grad_output, Tensor self, Tensor target, Tensor? weight, int reduction, SymInt "
    "ignore_index, Tensor total_weight) -> Tensor"};
inline constexpr Schemas kForwards{kForward, kForward2d};
inline constexpr Schemas kBackwards{kBackward, kBackward2d};

/// The loss alone; `_nd` of scores [batch, classes, any...].
inline constexpr TypedSchema kNamed{
    "aten::{}(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, SymInt ignore_index=-100) -> Tensor",
    "nll_loss", "nll_loss2d", "nll_loss_nd"};

}  // namespace ersatz::op_nll_loss
