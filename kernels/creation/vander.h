// Tensors made of the elements of a vector: their powers, and the ways to pick some of them.
#pragma once

#include <optional>

#include "runtime/op/schema_literal.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::op_vander {

inline constexpr Schema kVander{"aten::vander(Tensor x, int? N=None, bool increasing=False) -> Tensor"};
inline constexpr Schema kCombinations{
    "aten::combinations(Tensor self, int r=2, bool with_replacement=False) -> Tensor"};

}  // namespace ersatz::op_vander

namespace ersatz::ops {

/// A row of powers for each element, from the highest of `n` (as many as elements unless given) down to 0, or the other
/// way round. Integers and bools become i64.
/// [vander.C1] a vector.
/// [vander.C2] n >= 0.
Tensor vander(const Tensor& x, std::optional<int64_t> n = std::nullopt, bool increasing = false);
/// Each choice of `r` elements in their order as a row, with an element several times if asked for. How many rows there
/// are comes from a mask, so a fake run cannot know it.
/// [combinations.C1] a vector.
/// [combinations.C2] r >= 0.
Tensor combinations(const Tensor& self, int64_t r = 2, bool with_replacement = false);

}  // namespace ersatz::ops
