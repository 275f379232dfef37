// prelu, a leaky rectifier with a learned slope: x for positive x, else weight * x.
//
// [prelu.C1] the weight is 0-d or 1-d.
// [prelu.C2] [_prelu_kernel.C2] [_prelu_kernel_backward.C2] all tensors have one dtype.
// [prelu.C3] a weight with several elements has one element for each channel (dim 1 of the input).
// [_prelu_kernel.C1] [_prelu_kernel_backward.C1] the sizes broadcast.
//
// If a result has the sizes of `self`, it has the layout of `self`. `_prelu_kernel_backward` returns the gradient of
// self and, for each element, the gradient of the weight. Source: He et al., "Delving Deep into Rectifiers" (2015).
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
