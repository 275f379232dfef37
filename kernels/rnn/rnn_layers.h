// Recurrent networks of several layers and one or two directions, over sequences of one length or packed ones.
//
// Parameters stand layer by layer, direction by direction: w_ih, w_hh, then b_ih and b_hh with `has_biases`, then the
// projection of an LSTM whose two states differ in size. `input` is [steps, batch, features] ([batch, steps, features]
// with batch_first, as the output then is, by its strides alone), states are [layers * directions, batch, hidden]. With
// `train` a share `dropout` of each layer's output but the last is dropped. Constraints, where `op` is the op's name:
//
// [op.C1]  There are parameters and states for each layer and direction.
//          Weights whose rows do not make the gates of a cell are refused too; eager reads gates that are not there.
// [op.C2]  There is a step.
// [op.C3]  batch_sizes is an i64 CPU tensor of one dim, its elements adjacent; they add up to the rows of data.
//
// Eager leaves LSTMs of f32 on the CPU, over sequences of one length and without a projection, to oneDNN, which knows
// sizes but not shapes: of the input it takes three sizes, of parameters and of a layer's states the first elements in
// row-major order, as many as the network has. Parameters and states of further layers are not looked at.
//
// [lstm.C4]  There are so many elements, of dtype f32; of the biases' sum, whose dtypes may differ. Where states have
//     more, what eager leaves as it was behind the new ones is zero.
#pragma once

#include "runtime/op/schema_literal.h"

namespace ersatz::op_rnn_layers {

/// (output, h, c).
inline constexpr Schema kLstm{
    "aten::lstm.input(Tensor input, Tensor[] hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool "
    "train, bool bidirectional, bool batch_first) -> (Tensor, Tensor, Tensor)"};
/// (output, h), of gru, rnn_tanh and rnn_relu.
inline constexpr Schema kRnn{
    "aten::{}.input(Tensor input, Tensor hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool "
    "train, "
    "bool bidirectional, bool batch_first) -> (Tensor, Tensor)"};
/// Packed sequences: `data` holds batch_sizes[i] rows of step i, one step after the other, the longest sequence first.
inline constexpr Schema kLstmData{
    "aten::lstm.data(Tensor data, Tensor batch_sizes, Tensor[] hx, Tensor[] params, bool has_biases, int num_layers, "
    "float dropout, bool train, bool bidirectional) -> (Tensor, Tensor, Tensor)"};
inline constexpr Schema kRnnData{
    "aten::{}.data(Tensor data, Tensor batch_sizes, Tensor hx, Tensor[] params, bool has_biases, int num_layers, float "
    "dropout, bool train, bool bidirectional) -> (Tensor, Tensor)"};

}  // namespace ersatz::op_rnn_layers
