// Sequences of different lengths in one tensor: padded to the longest, or packed, step by step, without padding.
//
// Of sequences with 4, 2 and 1 steps the packed form has 7 rows, those of step 0 of each sequence first, and batch
// sizes [3, 2, 1, 1]: that many sequences have a step 0, 1, 2 and 3. `torch.nn.utils.rnn` makes its PackedSequence of
// both.
#pragma once

#include "runtime/op/typed_schema.h"
#include "runtime/op/value.h"
#include "typed/shape/packed_sequence.h"

namespace ersatz::op_packed_sequence {

/// input [steps, sequences, ...], or [sequences, steps, ...] with `batch_first`; lengths i64 [sequences] on the CPU,
/// descending. Data [rows, ...] on the input's device, row-major, and batch sizes i64 [longest] on the CPU: both sizes
/// depend on the values of `lengths`, so a fake run cannot know them. A length beyond the steps counts among the batch
/// sizes, and has no rows.
/// [_pack_padded_sequence.C1] an input with elements.
/// [_pack_padded_sequence.C2] lengths are a vector of i64 on the CPU.
/// [_pack_padded_sequence.C3] a length for each sequence.
/// Values: lengths positive and descending (runtime errors).
inline constexpr TypedSchema kPackPaddedSequence{
    "aten::_pack_padded_sequence(Tensor input, Tensor lengths, bool batch_first) -> (Tensor, Tensor)"};
/// Its gradient: step i of a result of zeros gets, of its first batch_sizes[i] sequences, that many rows of `grad`
/// [rows, ...], one step after the other. `input_size` is [steps, sequences, ...], or [sequences, steps, ...] with
/// `batch_first`, whose result is the transposed view. Rows stretch as in elementwise operators, and negative sizes
/// count from the end, as slices do.
/// [_pack_padded_sequence_backward.C1] input_size has two sizes with batch_first and no negative one.
/// [_pack_padded_sequence_backward.C2] batch sizes are a vector of i64 on the CPU.
/// [_pack_padded_sequence_backward.C3] grad has a dim, and a step has one (index errors).
/// [_pack_padded_sequence_backward.C4] a row has no more dims than a sequence of a step, and stretches to it.
/// [_pack_padded_sequence_backward.C5] there is a step for each batch size (index error).
/// Values: the rows that are left stretch to the sequences of a step (runtime error).
inline constexpr TypedSchema kPackPaddedSequenceBackward{
    "aten::_pack_padded_sequence_backward(Tensor grad, SymInt[] input_size, Tensor batch_sizes, bool batch_first) -> "
    "Tensor"};
/// Back: data [rows, ...], batch sizes i64 [steps] on the CPU, descending. The padded tensor is dense with steps
/// outermost, of which `batch_first` gives the transposed view; `total_length`, where positive, are its steps. The
/// lengths, i64 [sequences], are on the CPU. How many sequences there are is a value: that of the first batch size.
/// [_pad_packed_sequence.C1] data with dims.
/// [_pad_packed_sequence.C2] batch sizes are a vector of i64 on the CPU, and have an element.
/// [_pad_packed_sequence.C3] a positive total_length is at least the steps.
/// [_pad_packed_sequence.C4] the padding value fits the dtype.
/// Values: batch sizes not negative, descending, and no more rows than there are (runtime errors).
inline constexpr TypedSchema kPadPackedSequence{
    "aten::_pad_packed_sequence(Tensor data, Tensor batch_sizes, bool batch_first, Scalar padding_value, int "
    "total_length) -> (Tensor, Tensor)"};

}  // namespace ersatz::op_packed_sequence
