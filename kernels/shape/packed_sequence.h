// Sequences of different lengths in one tensor: padded to the longest, or packed step by step without padding.
//
// Example: sequences with 4, 2 and 1 steps are packed into 7 rows, beginning with step 0 of each sequence. The batch
// sizes are [3, 2, 1, 1], the numbers of sequences that have step 0, 1, 2 and 3. `torch.nn.utils.rnn` makes a
// PackedSequence of rows and batch sizes.
#pragma once

#include "runtime/op/typed_schema.h"
#include "runtime/op/value.h"
#include "typed/shape/packed_sequence.h"

namespace ersatz::op_packed_sequence {

/// `input` is [steps, sequences, ...], or [sequences, steps, ...] with `batch_first`. `lengths` is i64 [sequences] on
/// the CPU, descending. Returns row-major data [rows, ...] on the input's device, and batch sizes i64 [longest] on the
/// CPU. Both sizes depend on the values of `lengths`, so a fake run does not know them. Steps of a length beyond the
/// input's steps are counted in the batch sizes, but have no rows.
/// [_pack_padded_sequence.C1] input has elements.
/// [_pack_padded_sequence.C2] lengths are a vector of i64 on the CPU.
/// [_pack_padded_sequence.C3] there is a length for each sequence.
/// Values: lengths are positive and descending (RuntimeError).
inline constexpr TypedSchema kPackPaddedSequence{
    "aten::_pack_padded_sequence(Tensor input, Tensor lengths, bool batch_first) -> (Tensor, Tensor)"};
/// The gradient of _pack_padded_sequence. In a result of zeros, the first batch_sizes[i] sequences of step i get the
/// next rows of `grad` [rows, ...]. `input_size` is [steps, sequences, ...], or with `batch_first` [sequences, steps,
/// ...]; then the result is a transposed view. Rows broadcast as in elementwise operators, and negative sizes count
/// from the end, as in slices.
/// [_pack_padded_sequence_backward.C1] input_size has at least two sizes with batch_first, and no negative size.
/// [_pack_padded_sequence_backward.C2] batch sizes are an i64 vector on the CPU.
/// [_pack_padded_sequence_backward.C3] grad has a dim, and so has a step (IndexError).
/// [_pack_padded_sequence_backward.C4] a row has at most the dims of a sequence's step, and broadcasts to it.
/// [_pack_padded_sequence_backward.C5] there is a step for each batch size (IndexError).
/// Values: the remaining rows broadcast to the sequences of a step (RuntimeError).
inline constexpr TypedSchema kPackPaddedSequenceBackward{
    "aten::_pack_padded_sequence_backward(Tensor grad, SymInt[] input_size, Tensor batch_sizes, bool batch_first) -> "
    "Tensor"};
/// The inverse of _pack_padded_sequence. `data` is [rows, ...]; batch sizes are i64 [steps] on the CPU, descending. The
/// padded tensor is dense with steps outermost; with `batch_first` the result is its transposed view. A positive
/// `total_length` is its number of steps. The lengths, i64 [sequences], are on the CPU. The number of sequences is a
/// value: the first batch size.
/// [_pad_packed_sequence.C1] data has dims.
/// [_pad_packed_sequence.C2] batch sizes are an i64 vector on the CPU with at least one element.
/// [_pad_packed_sequence.C3] a positive total_length is at least the number of steps.
/// [_pad_packed_sequence.C4] the padding value fits the dtype.
/// Values: batch sizes are not negative, are descending, and add up to at most the rows of data (RuntimeError).
inline constexpr TypedSchema kPadPackedSequence{
    "aten::_pad_packed_sequence(Tensor data, Tensor batch_sizes, bool batch_first, Scalar padding_value, int "
    "total_length) -> (Tensor, Tensor)"};

}  // namespace ersatz::op_packed_sequence
