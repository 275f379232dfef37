// 1-d convolution with the layout time, batch, channels.
//
// [conv_tbc.C1]  self is [time, batch, in], weight [width, in, out], bias [out].
// self is also viewed with time and batch as one dim; `addmm_` determines the dtypes.
// [conv_tbc.C2]  The padded time is at most one shorter than the kernel.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/conv/conv_tbc.h"

namespace ersatz::op_conv_tbc {

/// bias plus the sum over k of self[t + k - pad] @ weight[k], where self is zero outside of its times. The result is
/// [time + 2 pad - width + 1, batch, out].
inline constexpr TypedSchema kConvTbc{"aten::conv_tbc(Tensor self, Tensor weight, Tensor bias, int pad=0) -> Tensor"};
/// The gradients of input, weight and bias, given `self`, the gradient of the result.
/// [conv_tbc_backward.C1] input [time, batch, in] and weight [width, in, out].
inline constexpr TypedSchema kConvTbcBackward{
    "aten::conv_tbc_backward(Tensor self, Tensor input, Tensor weight, Tensor bias, int pad) -> (Tensor, Tensor, "
    "Tensor)"};

}  // namespace ersatz::op_conv_tbc
