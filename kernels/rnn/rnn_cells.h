// One step of a recurrent network. Weights are [gates * hidden, features]. Biases are optional.
//
// Constraints, where `op` is the op's name:
//
// [op.C1]  input has as many features as w_ih, and the hidden state as many as w_hh. Both have one batch size. There
// are two states for an LSTM, else one.
#pragma once

#include <utility>

#include "runtime/op/composite.h"
#include "runtime/op/typed_schema.h"
#include "runtime/tensor/tensor.h"
#include "typed/rnn/rnn_cells.h"

namespace ersatz::op_rnn_cells {

/// Returns (h, c) of an LSTM with gates i, f, g, o: c = f c + i g, h = o tanh(c).
inline constexpr TypedSchema kLstmCell{
    "aten::lstm_cell(Tensor input, Tensor[] hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? b_hh=None) -> "
    "(Tensor, Tensor)"};
/// Returns h of a GRU with gates r, z, n: n = tanh(input's n + r * hidden's n), h = (1 - z) n + z h.
inline constexpr TypedSchema kGruCell{
    "aten::gru_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? b_hh=None) -> "
    "Tensor"};
/// Returns h: tanh or relu of the sum of the input's part and the hidden state's part.
inline constexpr TypedSchema kSimpleCell{
    "aten::{}(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? b_hh=None) -> Tensor",
    "rnn_tanh_cell", "rnn_relu_cell"};

}  // namespace ersatz::op_rnn_cells

namespace ersatz::rnn {

enum class Cell : uint8_t { Lstm, Gru, Tanh, Relu };

/// The parameters of one direction of one layer. Only LSTMs may have `project`, a projection of the output to fewer
/// features than the cell state has.
struct Weights {
  Tensor input, hidden, input_bias, hidden_bias, project;
};
/// The hidden state, and the cell state of an LSTM.
struct State {
  Tensor hidden, cell;
};

/// Returns the part of the gates that the input contributes, for one step or for all steps.
Tensor input_gates(const Tensor& input, const Weights& weights);
State step(Cell cell, const Tensor& input_gates, const State& state, const Weights& weights);

}  // namespace ersatz::rnn
