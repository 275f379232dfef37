// Comparisons of two tensors, with one bool as result or one for each element.
//
// equal(self, other)                      equal sizes and equal elements (NaN equals nothing), dtypes promoted
// isclose(self, other, rtol, atol, ...)   |self - other| <= atol + rtol * |other|, per element; bool
// allclose(...)                           whether isclose holds for all elements
// is_nonzero(self)                        whether the only element is not 0
//
// [isclose.C1] [allclose.C1] both have one dtype. [isclose.C2] [allclose.C2] neither tolerance is negative.
// [is_nonzero.C1] self has one element. [is_nonzero.C2] a u64 fits i64. Source: the ATen ops of these names.
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
