// Negative log likelihood loss: minus the score of the target's class, times the weight of the class.
//
// self has the scores, [classes] or [batch, classes]; for nll_loss2d, [batch, classes, height, width]. Targets equal to
// `ignore_index` are skipped. A mean is weighted, and `total_weight` is the sum of the targets' weights (0 without
// reduction). A reduction other than none and mean is the sum. If all targets are skipped, a mean is NaN; for 1-d
// scores on CUDA it is 0, as in PyTorch. Constraints. In labels, `op` is the op's name:
//
// [op.C1]  ranks and sizes of self and target fit. For 1-d scores, target of nll_loss_backward is 0-d, or has as many
//          elements as there are classes; only its first element is used.
// [op.C2]  weight, if given, has one element for each class, and self's dtype.
// [op.C3]  target is i64; for nll_loss also u8.
// [op.C4]  grad_output has one element for each loss, and total_weight has one element. Both have self's dtype.
// [nll_loss2d_backward.layout]  the gradient is row-major. It has the layout of self, or that of `out`.
// [op.value]  a target is a class, or equal to ignore_index.
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

/// Return the loss without total_weight. `nll_loss_nd` accepts scores [batch, classes, ...].
inline constexpr TypedSchema kNamed{
    "aten::{}(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, SymInt ignore_index=-100) -> Tensor",
    "nll_loss", "nll_loss2d", "nll_loss_nd"};

}  // namespace ersatz::op_nll_loss
