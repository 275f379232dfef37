// Tensors made of the elements of a vector: their powers, and the ways to pick some of them.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/creation/vander.h"

namespace ersatz::op_vander {

/// A row of powers for each element, from the highest of `n` (as many as elements unless given) down to 0, or the other
/// way round. Integers and bools become i64.
/// [vander.C1] a vector.
/// [vander.C2] n >= 0.
inline constexpr TypedSchema kVander{"aten::vander(Tensor x, int? N=None, bool increasing=False) -> Tensor"};
/// Each choice of `r` elements in their order as a row, with an element several times if asked for. How many rows there
/// are comes from a mask, so a fake run cannot know it.
/// [combinations.C1] a vector.
/// [combinations.C2] r >= 0.
inline constexpr TypedSchema kCombinations{
    "aten::combinations(Tensor self, int r=2, bool with_replacement=False) -> Tensor"};

}  // namespace ersatz::op_vander
