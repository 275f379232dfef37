// Recurrent networks as cuDNN has them: one op for layers, directions and packed sequences, with weights in one buffer.
//
// `mode` is 0 relu, 1 tanh, 2 LSTM, 3 GRU. `weight` has `weight_stride0` parameters for each layer and direction: w_ih,
// w_hh, then b_ih and b_hh (none of four, or both), then the projection of an LSTM whose `proj_size` is not 0. Packed
// sequences, those with `batch_sizes`, are [sum of batch_sizes, features]; others are [steps, batch, features], with
// batch_first [batch, steps, features], whose result is laid out step by step all the same. Constraints, where `op` is
// the op's name:
//
// [op.C1] a mode that there is; only an LSTM has cx, and it has one; a projection is an LSTM's.
// [op.C2] input has two dims where it is packed, else three; batch_sizes are positive, do not grow, and add up.
// [op.C3] there are weight_stride0 parameters for each layer and direction, of their sizes and the input's dtype.
// [op.C4] states are [layers * directions, batch, hidden or proj].
// [op.C5] output, its gradient and those of the states have their sizes.
// The buffer has all matrices, layer by layer and direction by direction, then all biases, which are there as zeros
// where the network has none.
#pragma once

#include "runtime/op/schema_literal.h"

namespace ersatz::op_cudnn_rnn {

/// (output, h, c, what a gradient needs, the buffer). c is empty but of an LSTM; what is kept is cuDNN's own affair:
/// nothing here. The buffer is `weight_buf` itself, or a new one.
inline constexpr Schema kForward{
    "aten::_cudnn_rnn(Tensor input, Tensor[] weight, int weight_stride0, Tensor? weight_buf, Tensor hx, Tensor? cx, "
    "int mode, SymInt hidden_size, SymInt proj_size, int num_layers, bool batch_first, float dropout, bool train, bool "
    "bidirectional, SymInt[] batch_sizes, Tensor? dropout_state) -> (Tensor, Tensor, Tensor, Tensor, Tensor)"};
/// Gradients of input, hx, cx and each parameter, where `output_mask` asks for them; none where none comes in. Metadata
/// only: there is no kernel.
inline constexpr Schema kBackward{
    "aten::_cudnn_rnn_backward(Tensor input, Tensor[] weight, int weight_stride0, Tensor weight_buf, Tensor hx, "
    "Tensor? "
    "cx, Tensor output, Tensor? grad_output, Tensor? grad_hy, Tensor? grad_cy, int mode, SymInt hidden_size, SymInt "
    "proj_size, int num_layers, bool batch_first, float dropout, bool train, bool bidirectional, SymInt[] batch_sizes, "
    "Tensor? dropout_state, Tensor reserve, bool[4] output_mask) -> (Tensor, Tensor, Tensor, Tensor[])"};
/// The buffer, filled; each parameter becomes a view of its place in it.
/// [_cudnn_rnn_flatten_weight.C3] as above; parameters have the elements of their places.
inline constexpr Schema kFlatten{
    "aten::_cudnn_rnn_flatten_weight(Tensor[] weight_arr, int weight_stride0, SymInt input_size, int mode, SymInt "
    "hidden_size, SymInt proj_size, int num_layers, bool batch_first, bool bidirectional) -> Tensor"};

}  // namespace ersatz::op_cudnn_rnn
