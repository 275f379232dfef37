// addcdiv, addcmul and lerp: elementwise ops of three operands.
//
// [op.C1]  Sizes of the operands must broadcast.
// [addcdiv.C2] [addcmul.C2]  value is representable in the compute dtype.
// [addcdiv.C3]  tensor1 and tensor2 are not both integers: addcdiv does not divide integers.
// [lerp.C2]  All tensors have one dtype.
// [lerp.C3]  weight is representable in the compute dtype.
#pragma once

#include "runtime/op/dispatch.h"
#include "runtime/op/typed_schema.h"
#include "typed/pointwise/ternary.h"

namespace ersatz::op_ternary {

/// self + value * tensor1 / tensor2
inline constexpr TypedSchema kAddcdiv{
    "aten::addcdiv(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor"};
/// self + value * tensor1 * tensor2
inline constexpr TypedSchema kAddcmul{
    "aten::addcmul(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor"};
/// self + weight * (end - self); exactly self for weight 0 and end for weight 1
inline constexpr TypedSchema kLerpScalar{"aten::lerp.Scalar(Tensor self, Tensor end, Scalar weight) -> Tensor"};
inline constexpr TypedSchema kLerpTensor{"aten::lerp.Tensor(Tensor self, Tensor end, Tensor weight) -> Tensor"};
inline constexpr Schemas kAddc{kAddcdiv, kAddcmul};
inline constexpr Schemas kLerp{kLerpScalar, kLerpTensor};

}  // namespace ersatz::op_ternary
