// One step of recurrent networks. Weights are [gates * hidden, features]; biases may be left out.
//
// Constraints, where `op` is the op's name:
//
// [op.C1]  input has the features of w_ih, the hidden state those of w_hh, for the same batch; states are as many as
//     the cell has.
#pragma once

#include <utility>

#include "runtime/op/composite.h"
#include "runtime/op/typed_schema.h"
#include "runtime/tensor/tensor.h"
#include "typed/rnn/rnn_cells.h"

namespace ersatz::op_rnn_cells {

/// (h, c): gates i, f, g, o; c = f c + i g, h = o tanh(c).
inline constexpr TypedSchema kLstmCell{
    "aten::lstm_cell(Tensor input, Tensor[] hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? b_hh=None) -> "
    "(Tensor, Tensor)"};
/// Gates r, z, n: n = tanh(input's n + r * hidden's n), h = (1 - z) n + z h.
inline constexpr TypedSchema kGruCell{
    "aten::gru_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? b_hh=None) -> "
    "Tensor"};
/// h = tanh or relu of the sum of both.
inline constexpr TypedSchema kSimpleCell{
    "aten::{}(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? b_hh=None) -> Tensor",
    "rnn_tanh_cell", "rnn_relu_cell"};

}  // namespace ersatz::op_rnn_cells

namespace ersatz::rnn {

enum class Cell : uint8_t { Lstm, Gru, Tanh, Relu };

/// The parameters of one direction of one layer; `project`, of LSTMs alone, makes the output smaller than the cell.
struct Weights {
  Tensor input, hidden, input_bias, hidden_bias, project;
};
/// The hidden state, and c of an LSTM.
struct State {
  Tensor hidden, cell;
};

/// What the input contributes to the gates: of one step or of all together.
Tensor input_gates(const Tensor& input, const Weights& weights);
State step(Cell cell, const Tensor& input_gates, const State& state, const Weights& weights);

}  // namespace ersatz::rnn
