// argmax, argmin: where the largest or smallest element is.
//
// Constraints
// [argmax.C1] an input that is reduced over nothing but an empty dim has no result (IndexError).
// [argmax.C2] complex numbers have no order (TypeError).
// The same labels hold for argmin. Without a dim the index counts the elements in row-major order. The first of equal
// elements wins, NaN over all. Bool is not supported. The result is i64 and row-major.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/reduction/arg_extrema.h"

namespace ersatz::op_arg_extrema {

inline constexpr TypedSchema kArgmax{"aten::argmax(Tensor self, int? dim=None, bool keepdim=False) -> Tensor"};
inline constexpr TypedSchema kArgmin{"aten::argmin(Tensor self, int? dim=None, bool keepdim=False) -> Tensor"};
inline constexpr Schemas kEach{kArgmax, kArgmin};

}  // namespace ersatz::op_arg_extrema
