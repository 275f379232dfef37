// Recurrent networks with several layers and one or two directions, over sequences of equal lengths or packed
// sequences.
//
// Parameters are ordered by layer, then by direction: w_ih, w_hh, with `has_biases` b_ih and b_hh, then the projection
// of an LSTM whose two states differ in size. `input` is [steps, batch, features], or with batch_first [batch, steps,
// features]; the output then is a transposed view. States are [layers * directions, batch, hidden]. With `train`, a
// share `dropout` of each layer's output but the last is dropped. In the constraints, `op` is the op's name:
//
// [op.C1]  There are parameters and states for each layer and direction.
// Weights with too few rows for the gates of a cell are refused, too; PyTorch reads out of bounds.
// [op.C2]  There is at least one step.
// [op.C3]  batch_sizes is a contiguous i64 CPU tensor with one dim, whose elements add up to the rows of data.
//
// PyTorch computes f32 LSTMs on the CPU by oneDNN, if sequences have equal lengths and there is no projection. oneDNN
// uses memory regardless of shapes. It takes three sizes from the input. From parameters and a layer's states it takes
// the first elements in row-major order, as many as the network has. Parameters and states of further layers are
// ignored.
//
// [lstm.C4]  There are enough elements, of dtype f32. For biases only the sum must be f32. If states have more
//            elements, those after the new ones are zero; PyTorch leaves them uninitialised.
#pragma once

#include "runtime/op/schema_literal.h"

namespace ersatz::op_rnn_layers {

/// Returns (output, h, c).
inline constexpr Schema kLstm{
    "aten::lstm.input(Tensor input, Tensor[] hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool "
    "train, bool bidirectional, bool batch_first) -> (Tensor, Tensor, Tensor)"};
/// Returns (output, h), for gru, rnn_tanh and rnn_relu.
inline constexpr Schema kRnn{
    "aten::{}.input(Tensor input, Tensor hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool "
    "train, "
    "bool bidirectional, bool batch_first) -> (Tensor, Tensor)"};
/// Packed sequences: `data` has batch_sizes[i] rows for step i, one step after the other, the longest sequence first.
inline constexpr Schema kLstmData{
    "aten::lstm.data(Tensor data, Tensor batch_sizes, Tensor[] hx, Tensor[] params, bool has_biases, int num_layers, "
    "float dropout, bool train, bool bidirectional) -> (Tensor, Tensor, Tensor)"};
inline constexpr Schema kRnnData{
    "aten::{}.data(Tensor data, Tensor batch_sizes, Tensor hx, Tensor[] params, bool has_biases, int num_layers, float "
    "dropout, bool train, bool bidirectional) -> (Tensor, Tensor)"};

}  // namespace ersatz::op_rnn_layers
