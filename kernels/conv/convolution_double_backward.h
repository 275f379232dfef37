// The gradients of `convolution_backward`.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/conv/convolution_double_backward.h"

namespace ersatz::op_convolution_double_backward {

/// Given ggI, ggW and ggb, the incoming gradients of its results (each may be None), returns the gradients of gO,
/// weight and input, in the order gO, input, weight.
/// gO gets the sum of the convolution with ggI as input, the convolution with ggW as weight, and ggb. The input gets
/// the gradient of the convolution with ggW, the weight that of the convolution with ggI. A gradient is None if no
/// incoming gradient contributes to it.
/// `output_mask` is ignored, as in PyTorch. Refusals are those of the operators that are called. On CUDA tensors that
/// serve as weights, and gO for the input's gradient, are made row-major first.
/// [_convolution_double_backward.C1] if ggb is given and has a dim, gO has two dims.
/// [_convolution_double_backward.C2] gO has the rank of the convolutions, if there are any.
inline constexpr TypedSchema kConvolutionDoubleBackward{
    "aten::_convolution_double_backward(Tensor? ggI, Tensor? ggW, Tensor? ggb, Tensor gO, Tensor weight, Tensor self, "
    "SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] output_padding, SymInt groups, "
    "bool[3] output_mask) -> (Tensor, Tensor, Tensor)"};

}  // namespace ersatz::op_convolution_double_backward
