// Connectionist temporal classification: minus the log probability of target sequences, over all their alignments with
// the steps of an input (Graves et al. 2006, "Connectionist Temporal Classification").
//
// log_probs is [time, batch, classes]. targets is [batch, longest], or 1-d with all sequences concatenated. A `blank`
// may occur before, between and after the targets. Constraints, where `op` is the op's name:
//
// [op.C1]  log_probs is 3-d and not empty; targets is 1-d or 2-d.
// [op.C2]  targets is i32 or i64.
// [op.C3]  blank is a class.
// [op.C4]  There is an input length and a target length for each item of the batch. None is negative, and no input
//          length exceeds the number of steps.
// [op.C5]  2-d targets have the batch's size and room for the longest target; 1-d targets have the sum of all target
//          lengths.
// [_ctc_loss_backward.C6]  grad and neg_log_likelihood have one element for each item, log_alpha has the forward op's
//     sizes; all have the dtype of log_probs.
// [op.C7]  Lengths in tensors are integers.
// [op.value]  Each target is a class.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/loss/ctc_loss.h"

namespace ersatz::op_ctc_loss {

/// The losses [batch], and the forward variables log_alpha [batch, time, 2 * longest target + 1].
inline constexpr TypedSchema kForward{
    "aten::_ctc_loss(Tensor log_probs, Tensor targets, int[] input_lengths, int[] target_lengths, int blank=0, bool "
    "zero_infinity=False) -> (Tensor, Tensor)"};
inline constexpr TypedSchema kBackward{
    "aten::_ctc_loss_backward(Tensor grad, Tensor log_probs, Tensor targets, int[] input_lengths, int[] "
    "target_lengths, "
    "Tensor neg_log_likelihood, Tensor log_alpha, int blank, bool zero_infinity=False) -> Tensor"};
/// The reduced loss. Without a batch log_probs is [time, classes] and targets [longest]. targets may have any dtype.
/// With `zero_infinity` the loss of an item that cannot be aligned is 0. A mean divides each loss by its target length
/// first.
inline constexpr TypedSchema kLoss{
    "aten::ctc_loss.IntList(Tensor log_probs, Tensor targets, int[] input_lengths, int[] target_lengths, int blank=0, "
    "int "
    "reduction=1, bool zero_infinity=False) -> Tensor"};

/// _ctc_loss with lengths in tensors, whose values are read.
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
