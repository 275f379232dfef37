// cuDNN's recurrent networks: one operator for any number of layers, directions and packed sequences. The weights are
// in one buffer.
//
// `mode` is 0 for relu, 1 for tanh, 2 for LSTM and 3 for GRU. `weight` has `weight_stride0` parameters for each layer
// and direction: w_ih, w_hh, then optionally b_ih and b_hh, then the projection of an LSTM whose `proj_size` is not 0.
//
// Packed sequences, which have `batch_sizes`, are [sum of batch_sizes, features]. Other sequences are [steps, batch,
// features], or [batch, steps, features] if `batch_first` is true. In memory, the result has steps outermost in both
// cases. In the constraints, `op` is the op's name:
//
// [op.C1] the mode exists. An LSTM has cx, and other modes do not. Only an LSTM has a projection.
// [op.C2] a packed input has two dims, other inputs have three. batch_sizes are positive, do not ascend, and add up to
// the input's rows.
// [op.C3] there are weight_stride0 parameters for each layer and direction, with the network's sizes and the input's
// dtype.
// [op.C4] states are [layers * directions, batch, hidden or proj].
// [op.C5] output, its gradient and the gradients of the states have the sizes of the network's results.
// The buffer has all matrices, layer by layer and direction by direction, then all biases. If the network has no
// biases, the buffer has zeros in their place.
#pragma once

#include "runtime/op/schema_literal.h"

namespace ersatz::op_cudnn_rnn {

/// Returns (output, h, c, reserve, weight_buf). `c` is empty unless the network is an LSTM. `reserve` is always empty,
/// because only cuDNN uses it. The last result is `weight_buf` itself, or a new buffer.
inline constexpr Schema kForward{
    "aten::_cudnn_rnn(Tensor input, Tensor[] weight, int weight_stride0, Tensor? weight_buf, Tensor hx, Tensor? cx, "
    "int mode, SymInt hidden_size, SymInt proj_size, int num_layers, bool batch_first, float dropout, bool train, bool "
    "bidirectional, SymInt[] batch_sizes, Tensor? dropout_state) -> (Tensor, Tensor, Tensor, Tensor, Tensor)"};
/// Returns the gradients of input, hx, cx and each parameter that `output_mask` requests. Without an incoming gradient,
/// all results are None. The operator has a rule and no kernel.
inline constexpr Schema kBackward{
    "aten::_cudnn_rnn_backward(Tensor input, Tensor[] weight, int weight_stride0, Tensor weight_buf, Tensor hx, "
    "Tensor? "
    "cx, Tensor output, Tensor? grad_output, Tensor? grad_hy, Tensor? grad_cy, int mode, SymInt hidden_size, SymInt "
    "proj_size, int num_layers, bool batch_first, float dropout, bool train, bool bidirectional, SymInt[] batch_sizes, "
    "Tensor? dropout_state, Tensor reserve, bool[4] output_mask) -> (Tensor, Tensor, Tensor, Tensor[])"};
/// Returns the filled buffer, and makes each parameter a view of its part of the buffer.
/// [_cudnn_rnn_flatten_weight.C3] is the condition of [op.C3], and all parameters have one dtype.
inline constexpr Schema kFlatten{
    "aten::_cudnn_rnn_flatten_weight(Tensor[] weight_arr, int weight_stride0, SymInt input_size, int mode, SymInt "
    "hidden_size, SymInt proj_size, int num_layers, bool batch_first, bool bidirectional) -> Tensor"};

}  // namespace ersatz::op_cudnn_rnn
