// any, all: is some element, is every element, different from zero.
//
// Constraints
// [any.C1] dims are in range, at most 64, each named once.
// The same label holds for all. The result is bool (u8 for u8 inputs) and row-major. Any of nothing is false, all of
// nothing is true. `dims` with an empty list reduces no dim.
#pragma once

#include "runtime/op/schema_literal.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::op_any_all {

inline constexpr Schema kAnyAll{"aten::{}(Tensor self) -> Tensor"};
inline constexpr Schema kAnyAllDim{"aten::{}.dim(Tensor self, int dim, bool keepdim=False) -> Tensor"};
inline constexpr Schema kAnyAllDims{"aten::{}.dims(Tensor self, int[]? dim=None, bool keepdim=False) -> Tensor"};
inline constexpr Schemas kEach{kAnyAll, kAnyAllDim, kAnyAllDims};

}  // namespace ersatz::op_any_all

namespace ersatz::ops {

Tensor any(const Tensor& self);
Tensor any(const Tensor& self, int64_t dim, bool keepdim = false);
Tensor all(const Tensor& self);
Tensor all(const Tensor& self, int64_t dim, bool keepdim = false);

}  // namespace ersatz::ops
