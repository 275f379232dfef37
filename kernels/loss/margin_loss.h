// Hinge losses of class scores: how far each wrong class comes closer to a right one than a margin.
//
// The scores are [classes] or [batch, classes]. The loss of one row is the sum over its right classes t and the other
// classes d of max(0, margin - self[t] + self[d]) ^ p * weight[t], over the number of classes; a mean is over the rows.
// Any reduction but none and mean is the sum. Constraints, where `op` is the op's name:
//
// [op.C1]  self has at most two dims, and classes; target fits it.
// [multi_margin_loss.C2] [multi_margin_loss_backward.C2]  p is 1 or 2; what lies behind its point does not count.
// [multi_margin_loss.C3] [multi_margin_loss_backward.C3]  weight has one element a class, and self's dtype.
// [op.C4]  target is i64.
// [multi_margin_loss_backward.C5] [multilabel_margin_loss_backward.C5]  The incoming gradient has self's dtype and an
//     element, the first of them counts, or unreduced one a row; is_target has target's sizes and self's dtype.
// [op.value]  A target is a class; a list of them may end with a negative one, -1.
// [op.layout]  A written `is_target` or `grad_input` is row-major.
#pragma once

#include "runtime/op/scalar.h"
#include "runtime/op/typed_schema.h"
#include "typed/loss/margin_loss.h"

namespace ersatz::op_margin_loss {

/// One right class for each row: target is [batch], or one element.
inline constexpr TypedSchema kMulti{
    "aten::multi_margin_loss(Tensor self, Tensor target, Scalar p=1, Scalar margin=1, Tensor? weight=None, int "
    "reduction=1) -> Tensor"};
inline constexpr TypedSchema kMultiBackward{
    "aten::multi_margin_loss_backward(Tensor grad_output, Tensor self, Tensor target, Scalar p, Scalar margin, Tensor? "
    "weight=None, int reduction=1) -> Tensor"};

/// Several right classes for each row: target has self's sizes, each row a list that ends at its first -1. `is_target`
/// has 1 for each right class, 0 for the others.
inline constexpr TypedSchema kMultilabel{
    "aten::multilabel_margin_loss(Tensor self, Tensor target, int reduction=1) -> Tensor"};
inline constexpr TypedSchema kMultilabelForward{
    "aten::multilabel_margin_loss_forward(Tensor self, Tensor target, int reduction) -> (Tensor output, Tensor "
    "is_target)"};
inline constexpr TypedSchema kMultilabelBackward{
    "aten::multilabel_margin_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction, Tensor "
    "is_target) -> Tensor"};

}  // namespace ersatz::op_margin_loss
