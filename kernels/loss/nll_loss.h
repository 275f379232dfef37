// The negative log likelihood loss: minus the score of each target's class, weighted by class.
//
// self is [classes] or [batch, classes], for nll_loss2d [batch, classes, height, width]. Targets equal to
// `ignore_index` are skipped. A mean is weighted; `total_weight` is the sum of the targets' weights (0 if nothing is
// reduced). Any reduction but none and mean is the sum. If all targets are skipped, a mean is NaN. On CUDA it is 0 for
// 1-d scores, like in PyTorch. Constraints, where `op` is the op's name:
//
// [op.C1]  ranks and sizes of self and target fit. For 1-d scores nll_loss_backward takes a 0-d target, or one with as
//          many elements as classes, of which the first is used.
// [op.C2]  weight, if given, has one element for each class, and self's dtype.
// [op.C3]  target is i64; nll_loss also takes u8.
// [op.C4]  the incoming gradient has an element for each loss, total_weight has one; both have self's dtype.
// [nll_loss2d_backward.layout]  the gradient, which has self's layout or that of `out`, is row-major.
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

/// The loss without total_weight; `_nd` takes scores [batch, classes, any...].
inline constexpr TypedSchema kNamed{
    "aten::{}(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, SymInt ignore_index=-100) -> Tensor",
    "nll_loss", "nll_loss2d", "nll_loss_nd"};

}  // namespace ersatz::op_nll_loss
