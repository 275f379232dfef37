// Convolution of one dim with the channels last: time, batch, channels.
//
// [conv_tbc.C1]  self is [time, batch, in], weight [width, in, out], bias [out].
// Time and batch of self can be viewed as one dim, of dtypes as `addmm_` takes them.
// [conv_tbc.C2]  The padded time is not shorter than the kernel, but by one.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/conv/conv_tbc.h"

namespace ersatz::op_conv_tbc {

/// bias plus the sum over k of self[t + k - pad] @ weight[k], self being zero outside; [time + 2 pad - width + 1,
/// batch, out].
inline constexpr TypedSchema kConvTbc{"aten::conv_tbc(Tensor self, Tensor weight, Tensor bias, int pad=0) -> Tensor"};
/// The gradients of input, weight and bias for `self`, that of the result.
/// [conv_tbc_backward.C1] input [time, batch, in] and weight [width, in, out].
inline constexpr TypedSchema kConvTbcBackward{
    "aten::conv_tbc_backward(Tensor self, Tensor input, Tensor weight, Tensor bias, int pad) -> (Tensor, Tensor, "
    "Tensor)"};

}  // namespace ersatz::op_conv_tbc
