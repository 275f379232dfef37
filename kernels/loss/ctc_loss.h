// Connectionist temporal classification. The loss is minus the log probability of a target sequence, summed over all
// its alignments with the steps of an input (Graves et al. 2006, "Connectionist Temporal Classification").
//
// log_probs is [time, batch, classes]. targets is [batch, longest target], or 1-d with all sequences concatenated. In
// an alignment, class `blank` may occur before, between and after the targets. Constraints. In labels, `op` is the op's
// name:
//
// [op.C1]  log_probs is 3-d and not empty; targets is 1-d or 2-d.
// [op.C2]  targets is i32 or i64.
// [op.C3]  blank is a class.
// [op.C4]  There is one input length and one target length for each item of the batch. No length is negative, and no
//          input length exceeds the number of steps.
// [op.C5]  2-d targets have the batch's size as first size, and their second size is at least the longest target
// length. 1-d targets have the sum of all target lengths.
// [_ctc_loss_backward.C6]  grad and neg_log_likelihood have one element for each item of the batch, and log_alpha has
// the sizes that the forward op returned. All have the dtype of log_probs.
// [op.C7]  Lengths in tensors are integers.
// [op.value]  Each target is a class.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/loss/ctc_loss.h"

namespace ersatz::op_ctc_loss {

/// Returns the losses [batch], and the forward variables log_alpha [batch, time, 2 * longest target + 1].
inline constexpr TypedSchema kForward{
    "aten::_ctc_loss(Tensor log_probs, Tensor targets, int[] input_lengths, int[] target_lengths, int blank=0, bool "
    "zero_infinity=False) -> (Tensor, Tensor)"};
inline constexpr TypedSchema kBackward{
    "aten::_ctc_loss_backward(Tensor grad, Tensor log_probs, Tensor targets, int[] input_lengths, int[] "
    "target_lengths, "
    "Tensor neg_log_likelihood, Tensor log_alpha, int blank, bool zero_infinity=False) -> Tensor"};
/// Returns the reduced loss. Without a batch, log_probs is [time, classes] and targets is [longest target]. targets may
/// have any dtype. With `zero_infinity`, the loss of an item that has no alignment is 0. A mean first divides each loss
/// by its target length.
inline constexpr TypedSchema kLoss{
    "aten::ctc_loss.IntList(Tensor log_probs, Tensor targets, int[] input_lengths, int[] target_lengths, int blank=0, "
    "int "
    "reduction=1, bool zero_infinity=False) -> Tensor"};

/// _ctc_loss with lengths in tensors. The composite reads their values.
inline constexpr Schema kForwardTensor{
    "aten::_ctc_loss.Tensor(Tensor log_probs, Tensor targets, Tensor input_lengths, Tensor target_lengths, int "
    "blank=0, "
    "bool zero_infinity=False) -> (Tensor, Tensor)"};
inline constexpr Schema kBackwardTensor{
    "aten::_ctc_loss_backward.Tensor(Tensor grad, Tensor log_probs, Tensor targets, Tensor input_lengths, Tensor "
    "target_lengths, Tensor neg_log_likelihood, Tensor log_alpha, int blank, bool zero_infinity=False) -> Tensor"};
inline constexpr Schema kLossTensor{
    "aten::ctc_loss.Tensor(Tensor log_probs, Tensor targets, Tensor input_lengths, Tensor target_lengths, int blank=0, "
    "int reduction=1, bool zero_infinity=False) -> Tensor"};

}  // namespace ersatz::op_ctc_loss
