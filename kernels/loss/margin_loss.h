// Hinge losses of class scores. A loss is zero only if the score of each right class exceeds the score of every wrong
// class by at least the margin.
//
// self is [classes] or [batch, classes]. For a right class t and another class d of a row, the loss has the term
// max(0, margin - self[t] + self[d]) ^ p * weight[t]. The loss of a row is the sum of its terms divided by the number
// of classes. A mean is taken over the rows. A reduction other than none and mean is the sum. Constraints. In labels,
// `op` is the op's name:
//
// [op.C1]  self has at most two dims and at least one class; the sizes of target fit self.
// [multi_margin_loss.C2] [multi_margin_loss_backward.C2]  p, rounded down, is 1 or 2.
// [multi_margin_loss.C3] [multi_margin_loss_backward.C3]  weight has one element for each class, and self's dtype.
// [op.C4]  target is i64.
// [multi_margin_loss_backward.C5] [multilabel_margin_loss_backward.C5]  grad_output has self's dtype and at least one
// element, the first of which is used. Without reduction, it has one element for each row. is_target has target's sizes
// and self's dtype.
// [op.value]  Each target is a class. For multilabel_margin_loss, a negative number ends the list of a row.
// [op.layout]  `is_target` or `grad_input` is row-major if it is written.
#pragma once

#include "runtime/op/scalar.h"
#include "runtime/op/typed_schema.h"
#include "typed/loss/margin_loss.h"

namespace ersatz::op_margin_loss {

/// Each row has one right class: target is [batch], or has one element.
inline constexpr TypedSchema kMulti{
    "aten::multi_margin_loss(Tensor self, Tensor target, Scalar p=1, Scalar margin=1, Tensor? weight=None, int "
    "reduction=1) -> Tensor"};
inline constexpr TypedSchema kMultiBackward{
    "aten::multi_margin_loss_backward(Tensor grad_output, Tensor self, Tensor target, Scalar p, Scalar margin, Tensor? "
    "weight=None, int reduction=1) -> Tensor"};

/// Each row has several right classes: target has self's sizes, and each of its rows is a list that a negative number
/// ends. `is_target` is 1 for right classes and 0 for other classes.
inline constexpr TypedSchema kMultilabel{
    "aten::multilabel_margin_loss(Tensor self, Tensor target, int reduction=1) -> Tensor"};
inline constexpr TypedSchema kMultilabelForward{
    "aten::multilabel_margin_loss_forward(Tensor self, Tensor target, int reduction) -> (Tensor output, Tensor "
    "is_target)"};
inline constexpr TypedSchema kMultilabelBackward{
    "aten::multilabel_margin_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction, Tensor "
    "is_target) -> Tensor"};

}  // namespace ersatz::op_margin_loss
