// round with decimals, and frexp.
//
// round.decimals(self, decimals)   the nearest multiple of 10 ^ -decimals, ties to even; decimals may be negative
// frexp(self)                      the mantissa in [0.5, 1) and the i32 exponent of base 2; an infinity or NaN is its
//                                  own mantissa and has exponent 0
//
// [frexp.C1] self is a float. Source: the ATen ops of these names.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/pointwise/float_parts.h"

namespace ersatz::op_float_parts {

inline constexpr Schema kRoundDecimals{"aten::round.decimals(Tensor self, *, int decimals) -> Tensor"};
inline constexpr TypedSchema kFrexp{"aten::frexp.Tensor(Tensor self) -> (Tensor mantissa, Tensor exponent)"};
inline constexpr Schemas kEach{kRoundDecimals, kFrexp};

}  // namespace ersatz::op_float_parts
