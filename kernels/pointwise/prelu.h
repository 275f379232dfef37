// Leaky rectifiers with a slope that is learned: x where it is positive, else weight * x.
//
// [prelu.C1] the weight is 0-d or 1-d.
// [prelu.C2] [_prelu_kernel.C2] [_prelu_kernel_backward.C2] all have one dtype.
// [prelu.C3] a weight of several elements has one for each channel, the input's dim 1.
// [_prelu_kernel.C1] [_prelu_kernel_backward.C1] sizes broadcast.
//
// Results lie as `self` where they have its sizes. `_prelu_kernel_backward` gives the gradient of `self` and that of
// the weight for each element. Source: He et al., "Delving Deep into Rectifiers" (2015).
#pragma once

#include "runtime/op/dispatch.h"
#include "runtime/op/typed_schema.h"
#include "typed/pointwise/prelu.h"

namespace ersatz::op_prelu {

inline constexpr TypedSchema kPrelu{"aten::prelu(Tensor self, Tensor weight) -> Tensor"};
inline constexpr TypedSchema kKernel{"aten::_prelu_kernel(Tensor self, Tensor weight) -> Tensor"};
inline constexpr TypedSchema kBackward{
    "aten::_prelu_kernel_backward(Tensor grad_output, Tensor self, Tensor weight) -> (Tensor, Tensor)"};

}  // namespace ersatz::op_prelu
