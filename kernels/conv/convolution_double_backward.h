// The gradients of the operator `convolution_backward`.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/conv/convolution_double_backward.h"

namespace ersatz::op_convolution_double_backward {

/// Returns the gradients of gO, weight and input, in the order gO, input, weight. ggI, ggW and ggb are the incoming
/// gradients of the results of convolution_backward. Each may be None.
///
/// The gradient of gO is the sum of the convolution with ggI as input, the convolution with ggW as weight, and ggb. The
/// gradient of the input comes from the convolution with ggW, and the gradient of the weight from the convolution with
/// ggI. A gradient is None if no incoming gradient contributes to it.
///
/// Like in PyTorch, `output_mask` is ignored. Errors not listed here come from the operators that are called. On CUDA,
/// tensors that serve as weights are made row-major first, and so is gO for the input's gradient.
/// [_convolution_double_backward.C1] if ggb is given, ggb has a dim and gO has two dims.
/// [_convolution_double_backward.C2] gO has the rank of the result of the convolutions with ggI and ggW.
inline constexpr TypedSchema kConvolutionDoubleBackward{
    "aten::_convolution_double_backward(Tensor? ggI, Tensor? ggW, Tensor? ggb, Tensor gO, Tensor weight, Tensor self, "
    "SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] output_padding, SymInt groups, "
    "bool[3] output_mask) -> (Tensor, Tensor, Tensor)"};

}  // namespace ersatz::op_convolution_double_backward
