// Division rounded towards zero ("trunc") or down ("floor").
//
// With a mode the result has the common dtype, integers included; without one it is true division.
//
// [div.C1]  Sizes of the operands must broadcast.
// [div.C2]  rounding_mode is None, "trunc" or "floor".
// An integer zero divisor fails on its value.
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
