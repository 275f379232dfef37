// Cross entropy: the negative log likelihood of the softmax of `self`.
//
// Targets are classes, [batch, any...] beside scores [batch, classes, any...], or probabilities of self's sizes.
// `label_smoothing` gives each class that part of the probability, evenly. Constraints:
//
// [cross_entropy_loss.C1]  Probabilities are floats, and none is ignored.
// [cross_entropy_loss.C2]  label_smoothing lies in [0, 1].
// [cross_entropy_loss.C3]  weight, where given, has one element a class; there is a dim of classes.
// [cross_entropy_loss.C4]  reduction is 0, 1 or 2 (beside classes without smoothing any other number is the sum).
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/loss/cross_entropy.h"

namespace ersatz::op_cross_entropy {

inline constexpr TypedSchema kCrossEntropyLoss{
    "aten::cross_entropy_loss(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, SymInt "
    "ignore_index=-100, float label_smoothing=0.) -> Tensor"};

}  // namespace ersatz::op_cross_entropy
