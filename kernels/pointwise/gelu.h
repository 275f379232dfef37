// gelu, the Gaussian error linear unit.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/pointwise/gelu.h"

namespace ersatz::op_gelu {

/// [gelu.C1] `approximate` is "none" or "tanh".
inline constexpr TypedSchema kGelu{"aten::gelu(Tensor self, *, str approximate=\"none\") -> Tensor"};

/// [infinitely_differentiable_gelu_backward.C1] the gradient broadcasts to self.
inline constexpr Schema kGeluBackwardOfParts{
    "aten::infinitely_differentiable_gelu_backward(Tensor grad, Tensor self) -> Tensor"};

}  // namespace ersatz::op_gelu
