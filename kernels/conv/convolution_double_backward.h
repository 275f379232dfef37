// The gradient of a convolution's gradient.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/conv/convolution_double_backward.h"

namespace ersatz::op_convolution_double_backward {

/// Of what comes in for the gradients of input, weight and bias, each of which may be None: what the incoming gradient
/// gO, the weight and the input of `convolution_backward` get, in the order gO, input, weight as results are. gO gets
/// the sum of the convolutions with ggI and ggW in the places of input and weight, and of ggb; the input the gradient
/// of one with ggW, the weight that of one with ggI. None of what nothing comes in for. `output_mask` is not looked at,
/// as in PyTorch. Refusals are those of the operators that it is made of.
/// On CUDA what stands in a weight's place, and gO for the input's gradient, is made row-major first.
/// [_convolution_double_backward.C1] beside ggb, which has a dim, gO has two dims.
/// [_convolution_double_backward.C2] gO has the rank of the convolutions, where there are such.
inline constexpr TypedSchema kConvolutionDoubleBackward{
    "aten::_convolution_double_backward(Tensor? ggI, Tensor? ggW, Tensor? ggb, Tensor gO, Tensor weight, Tensor self, "
    "SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] output_padding, SymInt groups, "
    "bool[3] output_mask) -> (Tensor, Tensor, Tensor)"};

}  // namespace ersatz::op_convolution_double_backward
