// convolution: 1-d to 3-d, with strides, padding, dilation and groups, ordinary or transposed.
//
// Constraints
// [convolution.C1] weight is 3-d to 5-d (out, in/groups, kernel...; transposed: in, out/groups, kernel...), and the
// input has the rank of the weight.
// [convolution.C2] stride, padding, dilation and output_padding have one value for all spatial dims, or one for each.
// [convolution.C3] stride, dilation and groups are positive; padding and output_padding are not negative.
// [convolution.C4] the input channels match weight and groups, and there is at least one output channel. If the input
// is empty but has channels, the weight has an element (index error).
// [convolution.C5] input, weight and bias have one dtype. ATen's own CPU loops, which run if PyTorch does not use
// oneDNN, convert the bias in two cases. Ordinary convolutions convert it from any dtype, and transposed 1-d and 2-d
// convolutions from a dtype that casts to the input's dtype.
//     For an empty input the dtypes may differ: the result has the dtype of input times weight, and the bias must cast
//     to that dtype.
// [convolution.C6] bias is 1-d and has an element for each output channel.
// [convolution.C7] the kernel has elements, unless the input is empty, and is not larger than the padded input. The
//     output has elements.
// [convolution.C8] output_padding is smaller than stride or dilation (transposed only; not checked for an empty input).
// [convolution.C9] an empty input has no images or no channels. Without input channels there are no output channels.
//
// The function convolution_format in kernels/conv/plan.h determines the layout of the result.
#pragma once

#include "runtime/op/typed_schema.h"
#include "runtime/tensor/tensor.h"
#include "typed/conv/convolution.h"

namespace ersatz::op_convolution {

/// `bias` may be undefined.
inline constexpr TypedSchema kConvolution{
    "aten::convolution(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, SymInt[] padding, SymInt[] "
    "dilation, bool transposed, SymInt[] output_padding, SymInt groups) -> Tensor"};

}  // namespace ersatz::op_convolution
