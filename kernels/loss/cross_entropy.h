// Cross entropy loss: the negative log likelihood of softmax(self).
//
// Targets are classes [batch, ...] for scores [batch, classes, ...], or probabilities with self's sizes.
// `label_smoothing` is the share of the probability that is distributed evenly over all classes. Constraints:
//
// [cross_entropy_loss.C1]  Targets that are probabilities are floats, and ignore_index is then negative.
// [cross_entropy_loss.C2]  label_smoothing is in [0, 1].
// [cross_entropy_loss.C3]  weight, if given, has one element for each class. self has at least one dim, for the
// classes.
// [cross_entropy_loss.C4]  reduction is 0, 1 or 2. For targets that are classes, without smoothing, any other number
// means the sum.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/loss/cross_entropy.h"

namespace ersatz::op_cross_entropy {

inline constexpr TypedSchema kCrossEntropyLoss{
    "aten::cross_entropy_loss(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, SymInt "
    "ignore_index=-100, float label_smoothing=0.) -> Tensor"};

}  // namespace ersatz::op_cross_entropy
