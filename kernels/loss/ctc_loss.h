// Connectionist temporal classification: minus the log probability of target sequences, over all their alignments with
// the steps of an input (Graves et al. 2006, "Connectionist Temporal Classification").
//
// log_probs is [time, batch, classes]; targets is [batch, longest] or all sequences one after the other, in one dim.
// Between, before and after the targets a `blank` may stand. Constraints, where `op` is the op's name:
//
// [op.C1]  log_probs has three dims and is not empty; targets has one or two.
// [op.C2]  targets is i32 or i64.
// [op.C3]  blank is a class.
// [op.C4]  There is an input and a target length for each item of the batch; none is negative, no input length is above
//     the number of steps.
// [op.C5]  targets has the batch's size and room for the longest target, in one dim the sum of all target lengths.
// [_ctc_loss_backward.C6]  grad and neg_log_likelihood have one element an item, log_alpha the forward op's sizes; all
//     have the dtype of log_probs.
// [op.C7]  Lengths given as tensors are integers.
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
/// The reduced loss. log_probs may be [time, classes] and targets [longest], without a batch; targets may have any
/// dtype. With `zero_infinity` what cannot be aligned counts nothing; a mean is over losses each divided by its length.
inline constexpr TypedSchema kLoss{
    "aten::ctc_loss.IntList(Tensor log_probs, Tensor targets, int[] input_lengths, int[] target_lengths, int blank=0, "
    "int "
    "reduction=1, bool zero_infinity=False) -> Tensor"};

/// The same with lengths as tensors, whose values are read.
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
