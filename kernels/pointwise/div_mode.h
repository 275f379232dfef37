// div with a rounding mode: "trunc" rounds towards zero, "floor" rounds down.
//
// With a mode the result has the common dtype, even for integers. Without a mode (None), div is true division.
//
// [div.C1]  The sizes of the operands broadcast.
// [div.C2]  rounding_mode is None, "trunc" or "floor".
// An integer divisor of 0 raises a value failure.
#pragma once

#include "runtime/op/dispatch.h"
#include "runtime/op/typed_schema.h"
#include "typed/pointwise/div_mode.h"

namespace ersatz::op_div_mode {

inline constexpr TypedSchema kDivTensorMode{
    "aten::div.Tensor_mode(Tensor self, Tensor other, *, str? rounding_mode) -> Tensor"};
inline constexpr Schema kDivScalarMode{
    "aten::div.Scalar_mode(Tensor self, Scalar other, *, str? rounding_mode) -> Tensor"};
inline constexpr Schemas kEach{kDivTensorMode, kDivScalarMode};

}  // namespace ersatz::op_div_mode
