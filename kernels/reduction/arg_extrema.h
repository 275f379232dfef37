// argmax, argmin: the index of the largest or smallest element.
//
// Constraints
// [argmax.C1] no reduced dim is empty (IndexError); without `dim`, all dims are reduced.
// [argmax.C2] complex numbers have no order (TypeError).
// The labels hold for argmin, too. Without a dim the result is the index in row-major order. Among equal elements the
// first one counts; NaN counts as more extreme than any number. Bool is not supported. The result is i64 and row-major.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/reduction/arg_extrema.h"

namespace ersatz::op_arg_extrema {

inline constexpr TypedSchema kArgmax{"aten::argmax(Tensor self, int? dim=None, bool keepdim=False) -> Tensor"};
inline constexpr TypedSchema kArgmin{"aten::argmin(Tensor self, int? dim=None, bool keepdim=False) -> Tensor"};
inline constexpr Schemas kEach{kArgmax, kArgmin};

}  // namespace ersatz::op_arg_extrema
