// any, all: whether any element, or every element, is not zero.
//
// Constraints
// [any.C1] dims are in range, each named once. If dims are named, the input has at most 64 dims. The op `all` has this
//          constraint as [all.C1].
//
// The result is bool (u8 for u8 inputs) and row-major. If there are no elements, any is false and all is true. If
// `dims` is an empty list, no dim is reduced.
#pragma once

#include "runtime/op/typed_schema.h"
#include "runtime/tensor/tensor.h"
#include "typed/reduction/any_all.h"

namespace ersatz::op_any_all {

inline constexpr TypedSchema kAnyAll{"aten::{}(Tensor self) -> Tensor", "any", "all"};
inline constexpr TypedSchema kAnyAllDim{"aten::{}.dim(Tensor self, int dim, bool keepdim=False) -> Tensor", "any",
                                        "all"};
inline constexpr Schema kAnyAllDims{"aten::{}.dims(Tensor self, int[]? dim=None, bool keepdim=False) -> Tensor"};
inline constexpr Schemas kEach{kAnyAll, kAnyAllDim, kAnyAllDims};

}  // namespace ersatz::op_any_all
