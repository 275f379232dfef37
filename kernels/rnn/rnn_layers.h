// Recurrent networks with several layers and one or two directions. Sequences have equal lengths or are packed.
//
// Parameters are ordered by layer, then by direction: w_ih, w_hh, then b_ih and b_hh if `has_biases` is true, then the
// projection of an LSTM whose two states differ in size. `input` is [steps, batch, features]. If `batch_first` is true,
// `input` is [batch, steps, features] and the output is a transposed view. States are [layers * directions, batch,
// hidden]. If `train` is true, `dropout` is the probability with which elements of every layer's output are dropped,
// except in the last layer. In the constraints, `op` is the op's name:
//
// [op.C1]  there are parameters and states for each layer and direction. Weights with too few rows for the gates of a
// cell are refused too. PyTorch would read them out of bounds.
// [op.C2]  there is at least one step.
// [op.C3]  batch_sizes is a contiguous i64 CPU tensor with one dim, whose elements add up to the rows of data.
//
// PyTorch computes f32 LSTMs on the CPU with oneDNN, if sequences have equal lengths and there is no projection. oneDNN
// takes three sizes from the input, and ignores the sizes of all other tensors. From each parameter and each layer's
// state it reads the first elements in row-major order, as many as the network needs. Parameters and states of further
// layers are ignored.
//
// [lstm.C4]  if oneDNN is used, all tensors have enough elements, in f32. Biases may have another dtype if their sum is
//           f32. If states have more elements than the network needs, the surplus elements of the new states are zero.
//           PyTorch does not initialise them.
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
/// Packed sequences: `data` has batch_sizes[i] rows for step i, one step after the other. Longer sequences come first.
inline constexpr Schema kLstmData{
    "aten::lstm.data(Tensor data, Tensor batch_sizes, Tensor[] hx, Tensor[] params, bool has_biases, int num_layers, "
    "float dropout, bool train, bool bidirectional) -> (Tensor, Tensor, Tensor)"};
inline constexpr Schema kRnnData{
    "aten::{}.data(Tensor data, Tensor batch_sizes, Tensor hx, Tensor[] params, bool has_biases, int num_layers, float "
    "dropout, bool train, bool bidirectional) -> (Tensor, Tensor)"};

}  // namespace ersatz::op_rnn_layers
