// Comparisons of two tensors: `equal` and `allclose` return one bool, `isclose` returns a bool for each element.
//
// equal(self, other)                      whether sizes and elements are equal; NaN equals nothing; dtypes are promoted
// isclose(self, other, rtol, atol, ...)   |self - other| <= atol + rtol * |other|, for each element
// allclose(...)                           whether isclose is true for all elements
// is_nonzero(self)                        whether the only element is not 0
//
// [isclose.C1] [allclose.C1] both tensors have one dtype. [isclose.C2] [allclose.C2] no tolerance is negative.
// [is_nonzero.C1] self has one element. [is_nonzero.C2] a u64 element fits i64. Source: the ATen ops of these names.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/pointwise/closeness.h"

namespace ersatz::op_closeness {

inline constexpr TypedSchema kEqual{"aten::equal(Tensor self, Tensor other) -> bool"};
inline constexpr TypedSchema kAllclose{
    "aten::allclose(Tensor self, Tensor other, float rtol=1.0000000000000001e-05, float atol=1e-08, bool "
    "equal_nan=False) -> bool"};
inline constexpr TypedSchema kIsclose{
    "aten::isclose(Tensor self, Tensor other, float rtol=1.0000000000000001e-05, float atol=1e-08, bool "
    "equal_nan=False) -> Tensor"};
inline constexpr TypedSchema kIsNonzero{"aten::is_nonzero(Tensor self) -> bool"};

}  // namespace ersatz::op_closeness
