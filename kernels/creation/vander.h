// `vander` returns powers of a vector's elements, and `combinations` returns combinations of them.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/creation/vander.h"

namespace ersatz::op_vander {

/// Returns a row of powers for each element, from exponent N - 1 down to 0, or with `increasing` from 0 up to N - 1.
/// The default of N is the number of elements. Integers and bools become i64.
/// [vander.C1] x is a vector.
/// [vander.C2] N is not negative.
inline constexpr TypedSchema kVander{"aten::vander(Tensor x, int? N=None, bool increasing=False) -> Tensor"};
/// Returns each combination of `r` elements as a row, in order. With with_replacement, elements may be repeated.
/// PyTorch selects the rows by a mask, so their number is unknown in a fake run.
/// [combinations.C1] self is a vector.
/// [combinations.C2] r is not negative.
inline constexpr TypedSchema kCombinations{
    "aten::combinations(Tensor self, int r=2, bool with_replacement=False) -> Tensor"};

}  // namespace ersatz::op_vander
