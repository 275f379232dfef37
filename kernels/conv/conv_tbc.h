// 1-d convolution of tensors with the dims time, batch and channels, in this order.
//
// [conv_tbc.C1]  self is [time, batch, in], weight is [width, in, out], and bias is [out].
// [conv_tbc.C2]  the padded time is at most one shorter than the kernel.
//
// The dims time and batch of self must also be joinable to one dim by a view. `addmm_`, which is called, checks the
// dtypes.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/conv/conv_tbc.h"

namespace ersatz::op_conv_tbc {

/// Result [t] is bias plus the sum over k of self[t + k - pad] @ weight[k], where self counts as zero before its first
/// and after its last time step. The result is [time + 2 pad - width + 1, batch, out].
inline constexpr TypedSchema kConvTbc{"aten::conv_tbc(Tensor self, Tensor weight, Tensor bias, int pad=0) -> Tensor"};
/// The gradients of input, weight and bias. The argument `self` is the gradient of the result.
/// [conv_tbc_backward.C1] input is [time, batch, in] and weight is [width, in, out].
inline constexpr TypedSchema kConvTbcBackward{
    "aten::conv_tbc_backward(Tensor self, Tensor input, Tensor weight, Tensor bias, int pad) -> (Tensor, Tensor, "
    "Tensor)"};

}  // namespace ersatz::op_conv_tbc
