// addcdiv, addcmul and lerp: elementwise ops of three tensors.
//
// [op.C1]  The sizes of the operands broadcast.
// [addcdiv.C2] [addcmul.C2]  value fits the compute dtype.
// [addcdiv.C3]  tensor1 and tensor2 are not both integers, because addcdiv does not divide integers.
// [lerp.C2]  All tensors have one dtype.
// [lerp.C3]  weight fits the compute dtype.
#pragma once

#include "runtime/op/dispatch.h"
#include "runtime/op/typed_schema.h"
#include "typed/pointwise/ternary.h"

namespace ersatz::op_ternary {

/// Returns self + value * tensor1 / tensor2.
inline constexpr TypedSchema kAddcdiv{
    "aten::addcdiv(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor"};
/// Returns self + value * tensor1 * tensor2.
inline constexpr TypedSchema kAddcmul{
    "aten::addcmul(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor"};
/// Returns self + weight * (end - self): exactly self if weight is 0, and exactly end if weight is 1.
inline constexpr TypedSchema kLerpScalar{"aten::lerp.Scalar(Tensor self, Tensor end, Scalar weight) -> Tensor"};
inline constexpr TypedSchema kLerpTensor{"aten::lerp.Tensor(Tensor self, Tensor end, Tensor weight) -> Tensor"};
inline constexpr Schemas kAddc{kAddcdiv, kAddcmul};
inline constexpr Schemas kLerp{kLerpScalar, kLerpTensor};

}  // namespace ersatz::op_ternary
