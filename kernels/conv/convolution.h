// convolution: 1-d to 3-d, strided, padded, dilated, grouped, transposed.
//
// Constraints
// [convolution.C1] weight is 3-d to 5-d (out, in/groups, kernel...; transposed: in, out/groups, kernel...), and the
//     input has its rank.
// [convolution.C2] stride, padding, dilation and output_padding have one value or one per spatial dim.
// [convolution.C3] stride, dilation and groups are positive; padding and output_padding are not negative.
// [convolution.C4] input channels fit the weight and the groups, and there is an output channel. Beside an empty input
//     with channels the weight has an element (an index error).
// [convolution.C5] input, weight and bias have one dtype. ATen's own loops on the CPU, which take what oneDNN does not,
//     convert the bias: any dtype, transposed in 1-d and 2-d one that casts to the input's, transposed in 3-d none.
//     Beside an empty input they may differ: the result has the dtype of input times weight, to which bias can be cast.
// [convolution.C6] bias is 1-d with an element per output channel.
// [convolution.C7] the kernel is not empty, but beside an empty input, and not larger than the padded input; the output
//     is not empty.
// [convolution.C8] output_padding is smaller than stride or dilation (transposed only; not looked at for an empty
//     input).
// [convolution.C9] an empty input is empty in its batch or its channels. Without channels the output has none.
//
// The layout of the result is planned by kernels/conv/plan.h.
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
