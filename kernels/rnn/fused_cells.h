// One step of an LSTM or GRU from the gates' sums, with what its gradient needs, and that gradient. PyTorch's CUDA
// build has the fused forms, which run anywhere here; results are row-major.
//
// Gates are [batch, n * hidden]: i, f, g, o of an LSTM, r, z, n of a GRU (rnn_cells.h has the formulas). A workspace
// holds the LSTM's gates, or the GRU's gates, its hidden state and the hidden part of n. Constraints, where `op` is the
// op's name:
//
// [op.C1] for states [batch, hidden]: gates and workspace are [batch, n * hidden], biases [n * hidden], n as above.
// [op.C2] they have one floating dtype.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/rnn/fused_cells.h"

namespace ersatz::op_fused_cells {

/// (h, c, workspace)
inline constexpr TypedSchema kLstm{
    "aten::_thnn_fused_lstm_cell(Tensor input_gates, Tensor hidden_gates, Tensor cx, Tensor? input_bias=None, Tensor? "
    "hidden_bias=None) -> (Tensor, Tensor, Tensor)"};
/// Gradients of the gates, of c and of a bias; nothing where no gradient comes in.
inline constexpr TypedSchema kLstmBackward{
    "aten::_thnn_fused_lstm_cell_backward_impl(Tensor? grad_hy, Tensor? grad_cy, Tensor cx, Tensor cy, Tensor "
    "workspace, bool has_bias) -> (Tensor, Tensor, Tensor)"};
/// The same for each of the gates' two parts, and each of two biases.
inline constexpr Schema kLstmBackwardTwice{
    "aten::_thnn_fused_lstm_cell_backward(Tensor? grad_hy, Tensor? grad_cy, Tensor cx, Tensor cy, Tensor workspace, "
    "bool has_bias) -> (Tensor, Tensor, Tensor, Tensor, Tensor)"};
/// From what went in, without a workspace.
inline constexpr Schema kLstmBackwardFromGates{
    "aten::_thnn_differentiable_lstm_cell_backward(Tensor? grad_hy, Tensor? grad_cy, Tensor input_gates, Tensor "
    "hidden_gates, Tensor? input_bias, Tensor? hidden_bias, Tensor cx, Tensor cy) -> (Tensor, Tensor, Tensor, Tensor, "
    "Tensor)"};
/// (h, workspace)
inline constexpr TypedSchema kGru{
    "aten::_thnn_fused_gru_cell(Tensor input_gates, Tensor hidden_gates, Tensor hx, Tensor? input_bias=None, Tensor? "
    "hidden_bias=None) -> (Tensor, Tensor)"};
/// Gradients of the gates' two parts, of h and of two biases.
inline constexpr TypedSchema kGruBackward{
    "aten::_thnn_fused_gru_cell_backward(Tensor grad_hy, Tensor workspace, bool has_bias) -> (Tensor, Tensor, Tensor, "
    "Tensor, Tensor)"};
inline constexpr Schema kGruBackwardFromGates{
    "aten::_thnn_differentiable_gru_cell_backward(Tensor grad_hy, Tensor input_gates, Tensor hidden_gates, Tensor hx, "
    "Tensor? input_bias, Tensor? hidden_bias) -> (Tensor, Tensor, Tensor, Tensor, Tensor)"};
inline constexpr Schemas kLstmBackwards{kLstmBackward, kLstmBackwardTwice};

}  // namespace ersatz::op_fused_cells
