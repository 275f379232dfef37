// The Gaussian error linear unit.
#pragma once

#include "runtime/op/schema_literal.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::op_gelu {

inline constexpr Schema kGelu{"aten::gelu(Tensor self, *, str approximate=\"none\") -> Tensor"};

}  // namespace ersatz::op_gelu

namespace ersatz::ops {

/// [gelu.C1] `approximate` is "none" or "tanh".
Tensor gelu(const Tensor& self, std::string_view approximate = "none");

}  // namespace ersatz::ops
