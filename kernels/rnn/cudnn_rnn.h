// cuDNN's recurrent networks: one op for layers, directions and packed sequences, with weights in one buffer.
//
// `mode` is 0 relu, 1 tanh, 2 LSTM, 3 GRU. `weight` has `weight_stride0` parameters for each layer and direction: w_ih,
// w_hh, then optionally b_ih and b_hh, then the projection of an LSTM with a `proj_size` other than 0. Packed sequences
// (with `batch_sizes`) are [sum of batch_sizes, features]. Others are [steps, batch, features], or with batch_first
// [batch, steps, features]; in memory the result has steps outermost in both cases. In the constraints, `op` is the
// op's name:
//
// [op.C1] the mode exists; an LSTM has cx, and others do not; only an LSTM has a projection.
// [op.C2] input has two dims if packed, else three. batch_sizes are positive, not ascending, and add up to its rows.
// [op.C3] there are weight_stride0 parameters for each layer and direction, with their sizes and the input's dtype.
// [op.C4] states are [layers * directions, batch, hidden or proj].
// [op.C5] output, its gradient and the gradients of the states have the sizes of the network's results.
// The buffer has all matrices, layer by layer and direction by direction, then all biases. A network without biases has
// zeros for them.
#pragma once

#include "runtime/op/schema_literal.h"

namespace ersatz::op_cudnn_rnn {

/// Returns (output, h, c, reserve, weight_buf). `c` is empty unless the network is an LSTM. `reserve` is always empty,
/// because only cuDNN uses it. The last result is `weight_buf` itself, or a new buffer.
inline constexpr Schema kForward{
    "aten::_cudnn_rnn(Tensor input, Tensor[] weight, int weight_stride0, Tensor? weight_buf, Tensor hx, Tensor? cx, "
    "int mode, SymInt hidden_size, SymInt proj_size, int num_layers, bool batch_first, float dropout, bool train, bool "
    "bidirectional, SymInt[] batch_sizes, Tensor? dropout_state) -> (Tensor, Tensor, Tensor, Tensor, Tensor)"};
/// Returns the gradients of input, hx, cx and each parameter that `output_mask` requests; none if there is no incoming
/// gradient. The op has a rule and no kernel.
inline constexpr Schema kBackward{
    "aten::_cudnn_rnn_backward(Tensor input, Tensor[] weight, int weight_stride0, Tensor weight_buf, Tensor hx, "
    "Tensor? "
    "cx, Tensor output, Tensor? grad_output, Tensor? grad_hy, Tensor? grad_cy, int mode, SymInt hidden_size, SymInt "
    "proj_size, int num_layers, bool batch_first, float dropout, bool train, bool bidirectional, SymInt[] batch_sizes, "
    "Tensor? dropout_state, Tensor reserve, bool[4] output_mask) -> (Tensor, Tensor, Tensor, Tensor[])"};
/// Returns the filled buffer and makes each parameter a view of its place in it.
/// [_cudnn_rnn_flatten_weight.C3] that above; parameters have the number of elements of their places.
inline constexpr Schema kFlatten{
    "aten::_cudnn_rnn_flatten_weight(Tensor[] weight_arr, int weight_stride0, SymInt input_size, int mode, SymInt "
    "hidden_size, SymInt proj_size, int num_layers, bool batch_first, bool bidirectional) -> Tensor"};

}  // namespace ersatz::op_cudnn_rnn
