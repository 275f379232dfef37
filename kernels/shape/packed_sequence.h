// Sequences of different lengths in one tensor: padded to the longest, or packed step by step without padding.
//
// Example: sequences with 4, 2 and 1 steps are packed into 7 rows; the first rows are step 0 of each sequence. The
// batch sizes are [3, 2, 1, 1]: the numbers of sequences that have a step 0, 1, 2 and 3.
// `torch.nn.utils.rnn.PackedSequence` has the rows and the batch sizes.
#pragma once

#include "runtime/op/typed_schema.h"
#include "runtime/op/value.h"
#include "typed/shape/packed_sequence.h"

namespace ersatz::op_packed_sequence {

/// Packs `input`: [steps, sequences, ...], or [sequences, steps, ...] with `batch_first`. `lengths` is a descending i64
/// vector [sequences] on the CPU. Returns row-major data [rows, ...] on the input's device, and batch sizes i64
/// [longest] on the CPU. The number of rows and `longest` depend on the values of `lengths`, so a fake run does not
/// know them. If a length is larger than the input's number of steps, the batch sizes count its additional steps, but
/// data has no rows for them.
/// [_pack_padded_sequence.C1] input is not empty.
/// [_pack_padded_sequence.C2] lengths are an i64 vector on the CPU.
/// [_pack_padded_sequence.C3] lengths has one element for each sequence.
/// Values: lengths are positive and descending (RuntimeError).
inline constexpr TypedSchema kPackPaddedSequence{
    "aten::_pack_padded_sequence(Tensor input, Tensor lengths, bool batch_first) -> (Tensor, Tensor)"};
/// The gradient of _pack_padded_sequence: the next batch_sizes[i] rows of `grad` [rows, ...] are written to the first
/// sequences of step i, in a tensor of zeros. `input_size` is [steps, sequences, ...]. With `batch_first` it is
/// [sequences, steps, ...], and the result is a transposed view. Rows broadcast as in elementwise operators. Negative
/// batch sizes count from the end, as in slices.
/// [_pack_padded_sequence_backward.C1] no size in input_size is negative; with batch_first it has at least two sizes.
/// [_pack_padded_sequence_backward.C2] batch sizes are an i64 vector on the CPU.
/// [_pack_padded_sequence_backward.C3] grad is not 0-d, and input_size has at least two sizes (IndexError).
/// [_pack_padded_sequence_backward.C4] a row of grad broadcasts to one sequence of a step.
/// [_pack_padded_sequence_backward.C5] there are at most as many batch sizes as steps (IndexError).
/// Values: the remaining rows broadcast to the sequences of a step (RuntimeError).
inline constexpr TypedSchema kPackPaddedSequenceBackward{
    "aten::_pack_padded_sequence_backward(Tensor grad, SymInt[] input_size, Tensor batch_sizes, bool batch_first) -> "
    "Tensor"};
/// The inverse of _pack_padded_sequence. `data` is [rows, ...]; batch sizes are a descending i64 vector [steps] on the
/// CPU. Returns the padded tensor, whose memory is [steps, sequences, ...]; with `batch_first` it is a transposed view.
/// Also returns the lengths, i64 [sequences], on the CPU. A positive `total_length` replaces the number of steps. The
/// number of sequences is the value of the first batch size, so a fake run does not know it.
/// [_pad_packed_sequence.C1] data is not 0-d.
/// [_pad_packed_sequence.C2] batch sizes are an i64 vector on the CPU with at least one element.
/// [_pad_packed_sequence.C3] a positive total_length is at least the number of steps.
/// [_pad_packed_sequence.C4] the padding value fits the dtype.
/// Values: batch sizes are not negative, are descending, and add up to at most the rows of data (RuntimeError).
inline constexpr TypedSchema kPadPackedSequence{
    "aten::_pad_packed_sequence(Tensor data, Tensor batch_sizes, bool batch_first, Scalar padding_value, int "
    "total_length) -> (Tensor, Tensor)"};

}  // namespace ersatz::op_packed_sequence
