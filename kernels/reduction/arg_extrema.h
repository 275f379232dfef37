// argmax, argmin: the index of the largest or smallest element.
//
// Constraints, which argmin has under its own name
// [argmax.C1] no reduced dim is empty (IndexError). Without `dim`, all dims are reduced.
// [argmax.C2] self is not complex, because complex numbers have no order (TypeError).
//
// Without `dim`, the result is an index into the elements in row-major order. Among equal elements the first one is
// chosen. NaN is more extreme than any number. Bool is not supported. The result is i64 and row-major.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/reduction/arg_extrema.h"

namespace ersatz::op_arg_extrema {

inline constexpr TypedSchema kArgmax{"aten::argmax(Tensor self, int? dim=None, bool keepdim=False) -> Tensor"};
inline constexpr TypedSchema kArgmin{"aten::argmin(Tensor self, int? dim=None, bool keepdim=False) -> Tensor"};
inline constexpr Schemas kEach{kArgmax, kArgmin};

}  // namespace ersatz::op_arg_extrema
