// Tensors made from a vector: powers of its elements, and combinations of its elements.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/creation/vander.h"

namespace ersatz::op_vander {

/// A row of powers of each element, from n - 1 down to 0, or with `increasing` from 0 up. The default of `n` is the
/// number of elements. Integers and bools become i64.
/// [vander.C1] x is a vector.
/// [vander.C2] n >= 0.
inline constexpr TypedSchema kVander{"aten::vander(Tensor x, int? N=None, bool increasing=False) -> Tensor"};
/// Each combination of `r` elements, in order, as a row; with_replacement repeats elements. The kernel selects rows by
/// a mask, so a fake run does not know their number.
/// [combinations.C1] self is a vector.
/// [combinations.C2] r >= 0.
inline constexpr TypedSchema kCombinations{
    "aten::combinations(Tensor self, int r=2, bool with_replacement=False) -> Tensor"};

}  // namespace ersatz::op_vander
