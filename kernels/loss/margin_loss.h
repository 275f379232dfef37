// Hinge losses of class scores: how much a wrong class comes closer to a right class than a margin.
//
// self is [classes] or [batch, classes]. The loss of a row is a sum over its right classes t and its other classes d,
// divided by the number of classes. A term is max(0, margin - self[t] + self[d]) ^ p * weight[t]. A mean is over the
// rows. Any reduction but none and mean is the sum. Constraints, where `op` is the op's name:
//
// [op.C1]  self has at most two dims and at least one class; the sizes of target fit self.
// [multi_margin_loss.C2] [multi_margin_loss_backward.C2]  p, without its fraction, is 1 or 2.
// [multi_margin_loss.C3] [multi_margin_loss_backward.C3]  weight has one element for each class, and self's dtype.
// [op.C4]  target is i64.
// [multi_margin_loss_backward.C5] [multilabel_margin_loss_backward.C5]  grad_output has self's dtype and at least one
//     element, of which the first is used. If nothing is reduced it has one for each row. is_target has target's sizes
//     and self's dtype.
// [op.value]  Each target is a class; the list of a row may end with a negative number.
// [op.layout]  A written `is_target` or `grad_input` is row-major.
#pragma once

#include "runtime/op/scalar.h"
#include "runtime/op/typed_schema.h"
#include "typed/loss/margin_loss.h"

namespace ersatz::op_margin_loss {

/// One right class for each row: target is [batch], or has one element.
inline constexpr TypedSchema kMulti{
    "aten::multi_margin_loss(Tensor self, Tensor target, Scalar p=1, Scalar margin=1, Tensor? weight=None, int "
    "reduction=1) -> Tensor"};
inline constexpr TypedSchema kMultiBackward{
    "aten::multi_margin_loss_backward(Tensor grad_output, Tensor self, Tensor target, Scalar p, Scalar margin, Tensor? "
    "weight=None, int reduction=1) -> Tensor"};

/// Several right classes for each row: target has self's sizes, and each row is a list that ends at its first -1.
/// `is_target` is 1 for right classes, 0 for others.
inline constexpr TypedSchema kMultilabel{
    "aten::multilabel_margin_loss(Tensor self, Tensor target, int reduction=1) -> Tensor"};
inline constexpr TypedSchema kMultilabelForward{
    "aten::multilabel_margin_loss_forward(Tensor self, Tensor target, int reduction) -> (Tensor output, Tensor "
    "is_target)"};
inline constexpr TypedSchema kMultilabelBackward{
    "aten::multilabel_margin_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction, Tensor "
    "is_target) -> Tensor"};

}  // namespace ersatz::op_margin_loss
