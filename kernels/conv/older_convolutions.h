// Further operators for convolutions: `_convolution`, which autograd calls, operators of single backends
// (`cudnn_convolution`, `thnn_conv2d`, `slow_conv_*`), and `_convolution_mode`, whose padding is a name. Each calls
// `convolution`, whose errors have the labels of `convolution`. Constraints, where `op` is the op's name:
//
// [op.C1] kernel_size has the sizes of the weight's kernel.
// [op.C2] input is a batch of images with the rank of the weight. The dilated and the transposed operators also accept
// one image without a batch dim.
// [op.C3] alpha and z of `cudnn_convolution_add_relu` fit the result in dtype and sizes.
#pragma once

#include "runtime/op/schema_literal.h"

namespace ersatz::op_older_convolutions {

inline constexpr Schema kConvolution{
    "aten::_convolution(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, SymInt[] padding, SymInt[] "
    "dilation, bool transposed, SymInt[] output_padding, SymInt groups, bool benchmark, bool deterministic, bool "
    "cudnn_enabled, bool allow_tf32) -> Tensor"};
inline constexpr Schema kDeprecated{
    "aten::_convolution.deprecated(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, SymInt[] padding, "
    "SymInt[] dilation, bool transposed, int[] output_padding, SymInt groups, bool benchmark, bool deterministic, bool "
    "cudnn_enabled) -> Tensor"};
/// `padding` is "same" or "valid", like in conv1d to conv3d. The input is a batch.
inline constexpr Schema kMode{
    "aten::_convolution_mode(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, str padding, SymInt[] "
    "dilation, SymInt groups) -> Tensor"};
inline constexpr Schema kCudnn{
    "aten::cudnn_convolution(Tensor self, Tensor weight, SymInt[] padding, SymInt[] stride, SymInt[] dilation, SymInt "
    "groups, bool benchmark, bool deterministic, bool allow_tf32) -> Tensor"};
inline constexpr Schema kCudnnTranspose{
    "aten::cudnn_convolution_transpose(Tensor self, Tensor weight, SymInt[] padding, SymInt[] output_padding, SymInt[] "
    "stride, SymInt[] dilation, SymInt groups, bool benchmark, bool deterministic, bool allow_tf32) -> Tensor"};
inline constexpr Schema kCudnnRelu{
    "aten::cudnn_convolution_relu(Tensor self, Tensor weight, Tensor? bias, SymInt[] stride, SymInt[] padding, "
    "SymInt[] "
    "dilation, SymInt groups) -> Tensor"};
/// Returns relu(convolution + alpha * z).
inline constexpr Schema kCudnnAddRelu{
    "aten::cudnn_convolution_add_relu(Tensor self, Tensor weight, Tensor z, Scalar? alpha, Tensor? bias, SymInt[] "
    "stride, SymInt[] padding, SymInt[] dilation, SymInt groups) -> Tensor"};
/// The schema of `thnn_conv2d` and `slow_conv3d`. Each calls an inner op with schema kSlowInner, without default
/// arguments.
inline constexpr Schema kSlow{
    "aten::{0}(Tensor self, Tensor weight, SymInt[{1}] kernel_size, Tensor? bias=None, SymInt[{1}] stride={2}, "
    "SymInt[{1}] padding={3}) -> Tensor"};
inline constexpr Schema kSlowInner{
    "aten::{0}(Tensor self, Tensor weight, SymInt[{1}] kernel_size, Tensor? bias, SymInt[{1}] stride, SymInt[{1}] "
    "padding) -> Tensor"};
inline constexpr Schema kDilated{
    "aten::{0}(Tensor self, Tensor weight, SymInt[{1}] kernel_size, Tensor? bias=None, SymInt[{1}] stride={2}, "
    "SymInt[{1}] padding={3}, SymInt[{1}] dilation={2}) -> Tensor"};
inline constexpr Schema kTransposed{
    "aten::{0}(Tensor self, Tensor weight, SymInt[{1}] kernel_size, Tensor? bias=None, SymInt[{1}] stride={2}, "
    "SymInt[{1}] padding={3}, SymInt[{1}] output_padding={3}, SymInt[{1}] dilation={2}) -> Tensor"};

/// Depthwise convolutions, which have as many groups as the input has channels.
inline constexpr Schema kDepthwise{
    "aten::{0}(Tensor self, Tensor weight, SymInt[{1}] kernel_size, Tensor? bias, SymInt[{1}] stride, SymInt[{1}] "
    "padding, SymInt[{1}] dilation) -> Tensor"};
/// Gradients of `thnn_conv2d`.
inline constexpr Schema kSlowBackward{
    "aten::_slow_conv2d_backward.output_mask(Tensor grad_output, Tensor self, Tensor weight, SymInt[2] kernel_size, "
    "SymInt[2] stride, SymInt[2] padding, bool[3] output_mask) -> (Tensor grad_input, Tensor grad_weight, Tensor "
    "grad_bias)"};
inline constexpr Schema kSlowBackwardMaskOut{
    "aten::_slow_conv2d_backward.output_mask_out(Tensor grad_output, Tensor self, Tensor weight, SymInt[2] "
    "kernel_size, "
    "SymInt[2] stride, SymInt[2] padding, bool[3] output_mask, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) "
    "-> "
    "(Tensor(a!), Tensor(b!), Tensor(c!))"};
inline constexpr Schema kSlowBackwardOut{
    "aten::_slow_conv2d_backward.grad_input(Tensor grad_output, Tensor self, Tensor weight, SymInt[2] kernel_size, "
    "SymInt[2] stride, SymInt[2] padding, *, Tensor(a!) grad_input, Tensor(b!) grad_weight, Tensor(c!) grad_bias) -> "
    "(Tensor(a!), Tensor(b!), Tensor(c!))"};
inline constexpr Schemas kWithKernel{kSlow, kSlowInner, kDilated, kTransposed, kDepthwise};
inline constexpr Schemas kWithDilation{kDilated, kDepthwise};
inline constexpr Schemas kSlowBackwards{kSlowBackward, kSlowBackwardOut};

}  // namespace ersatz::op_older_convolutions
