// Gradients of a convolution's input, weight and bias. `output_mask` selects the gradients that are computed.
//
// The rule of `convolution` checks the arguments that it shares with this operator, and raises its own errors.
// Constraints:
//
// [convolution_backward.C1]  grad_output has the sizes and dtype of the convolution's result. If the input has no
// images or channels, only the rank of grad_output is checked.
//         If ATen's own loops run on the CPU, grad_output may have more images, unless the weight is dilated. These
//         images add to the bias's gradient. grad_output may have channels that the groups do not divide, unless the
//         convolution is 3-d.
// [convolution_backward.C2]  output_padding is 0, unless the convolution is transposed.
// [convolution_backward.C3]  bias_sizes are not negative, if the bias's gradient has these sizes.
//
// On the CPU oneDNN computes the gradients of weight and bias together, even if output_mask selects only the bias's
// gradient. If there are no images or no channels, the bias's gradient has the sizes `bias_sizes`.
//
// Gradients of input and weight have the memory format that convolution_format (kernels/conv/plan.h) returns for the
// convolution. The input's gradient is a convolution of grad_output with the weight: a transposed convolution if the
// original is ordinary, and an ordinary convolution if the original is transposed.
// The weight's gradient is a convolution of the input with grad_output, with images and channels exchanged. On the CPU
// oneDNN computes the weight's gradient.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/conv/convolution_backward.h"

namespace ersatz::op_convolution_backward {

inline constexpr TypedSchema kConvolutionBackward{
    "aten::convolution_backward(Tensor grad_output, Tensor input, Tensor weight, SymInt[]? bias_sizes, SymInt[] "
    "stride, SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] output_padding, SymInt groups, bool[3] "
    "output_mask) -> (Tensor, Tensor, Tensor)"};

}  // namespace ersatz::op_convolution_backward
