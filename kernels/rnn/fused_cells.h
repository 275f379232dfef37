// Operators for one step of an LSTM or GRU, given the sums of its gates. They return a workspace, from which other
// operators here compute the gradient. PyTorch has these operators on CUDA only; ersatz runs them on any device.
// Results are row-major.
//
// Gates are [batch, n * hidden]: i, f, g, o for an LSTM, and r, z, n for a GRU (rnn_cells.h has the formulas). The
// workspace of an LSTM has its gates. The workspace of a GRU has its gates, its hidden state and the hidden part of n.
// In the constraints, `op` is the op's name:
//
// [op.C1] for states [batch, hidden], gates and workspace are [batch, n * hidden] and biases are [n * hidden], where n
// is the number of parts listed above.
// [op.C2] all operands have one float dtype.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/rnn/fused_cells.h"

namespace ersatz::op_fused_cells {

/// Returns (h, c, workspace).
inline constexpr TypedSchema kLstm{
    "aten::_thnn_fused_lstm_cell(Tensor input_gates, Tensor hidden_gates, Tensor cx, Tensor? input_bias=None, Tensor? "
    "hidden_bias=None) -> (Tensor, Tensor, Tensor)"};
/// Returns the gradients of the gates, of c and of a bias, or None without an incoming gradient.
inline constexpr TypedSchema kLstmBackward{
    "aten::_thnn_fused_lstm_cell_backward_impl(Tensor? grad_hy, Tensor? grad_cy, Tensor cx, Tensor cy, Tensor "
    "workspace, bool has_bias) -> (Tensor, Tensor, Tensor)"};
/// Returns the gradients of input_gates, hidden_gates, c, and both biases.
inline constexpr Schema kLstmBackwardTwice{
    "aten::_thnn_fused_lstm_cell_backward(Tensor? grad_hy, Tensor? grad_cy, Tensor cx, Tensor cy, Tensor workspace, "
    "bool has_bias) -> (Tensor, Tensor, Tensor, Tensor, Tensor)"};
/// Computes the gradients from the inputs of the forward operator, without a workspace.
inline constexpr Schema kLstmBackwardFromGates{
    "aten::_thnn_differentiable_lstm_cell_backward(Tensor? grad_hy, Tensor? grad_cy, Tensor input_gates, Tensor "
    "hidden_gates, Tensor? input_bias, Tensor? hidden_bias, Tensor cx, Tensor cy) -> (Tensor, Tensor, Tensor, Tensor, "
    "Tensor)"};
/// Returns (h, workspace).
inline constexpr TypedSchema kGru{
    "aten::_thnn_fused_gru_cell(Tensor input_gates, Tensor hidden_gates, Tensor hx, Tensor? input_bias=None, Tensor? "
    "hidden_bias=None) -> (Tensor, Tensor)"};
/// Returns the gradients of input_gates, hidden_gates, h, and both biases.
inline constexpr TypedSchema kGruBackward{
    "aten::_thnn_fused_gru_cell_backward(Tensor grad_hy, Tensor workspace, bool has_bias) -> (Tensor, Tensor, Tensor, "
    "Tensor, Tensor)"};
inline constexpr Schema kGruBackwardFromGates{
    "aten::_thnn_differentiable_gru_cell_backward(Tensor grad_hy, Tensor input_gates, Tensor hidden_gates, Tensor hx, "
    "Tensor? input_bias, Tensor? hidden_bias) -> (Tensor, Tensor, Tensor, Tensor, Tensor)"};
inline constexpr Schemas kLstmBackwards{kLstmBackward, kLstmBackwardTwice};

}  // namespace ersatz::op_fused_cells
