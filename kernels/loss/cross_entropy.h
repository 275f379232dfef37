// Cross entropy: the negative log likelihood of softmax(self).
//
// Targets are classes [batch, any...] for scores [batch, classes, any...], or probabilities in self's sizes.
// `label_smoothing` distributes that share of the probability evenly over all classes. Constraints:
//
// [cross_entropy_loss.C1]  Probabilities are floats, and ignore_index is negative.
// [cross_entropy_loss.C2]  label_smoothing is in [0, 1].
// [cross_entropy_loss.C3]  weight, if given, has one element for each class; self has a dim of classes.
// [cross_entropy_loss.C4]  reduction is 0, 1 or 2 (for classes without smoothing any other number is the sum).
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/loss/cross_entropy.h"

namespace ersatz::op_cross_entropy {

inline constexpr TypedSchema kCrossEntropyLoss{
    "aten::cross_entropy_loss(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, SymInt "
    "ignore_index=-100, float label_smoothing=0.) -> Tensor"};

}  // namespace ersatz::op_cross_entropy
