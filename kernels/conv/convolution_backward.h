// Gradients of a convolution: of the input, the weight and the bias, each where `output_mask` asks for it.
//
// The convolution's arguments are checked by its own rule, in its words. Constraints:
//
// [convolution_backward.C1]  grad_output has the sizes of the convolution's result, and its dtype. Beside an input
//          without images or channels its rank alone counts. Where ATen's own loops run on the CPU it may have more
//          images, not of a dilated weight, which count for the bias, and channels that the groups do not
//          divide, but of volumes.
// [convolution_backward.C2]  output_padding is 0, but of a transposed convolution.
// [convolution_backward.C3]  bias_sizes, where the bias's gradient takes them, are not negative.
//
// On the CPU oneDNN gives the weight's gradient beside the bias's, asked or not. Without images or channels that of the
// bias has the sizes of `bias_sizes`.
//
// Gradients of input and weight have the memory format that kernels/conv/plan.h gives the convolution itself. Each is a
// convolution: of the gradient with the weight, turned round (transposed where the convolution is not, and the other
// way), and of the input with the gradient, images in the place of channels. On the CPU oneDNN makes the weight's.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/conv/convolution_backward.h"

namespace ersatz::op_convolution_backward {

inline constexpr TypedSchema kConvolutionBackward{
    "aten::convolution_backward(Tensor grad_output, Tensor input, Tensor weight, SymInt[]? bias_sizes, SymInt[] "
    "stride, SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] output_padding, SymInt groups, bool[3] "
    "output_mask) -> (Tensor, Tensor, Tensor)"};

}  // namespace ersatz::op_convolution_backward
