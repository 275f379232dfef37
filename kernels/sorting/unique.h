// The different elements, or slices, of a tensor: `_unique`, `_unique2`, `unique_dim`, `unique_consecutive`. How many
// there are depends on values, so a fake run cannot know it. A NaN differs from every other.
#pragma once

#include <optional>

#include "runtime/op/schema_literal.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::op_unique {

inline constexpr Schema kUnique2{
    "aten::_unique2(Tensor self, bool sorted=True, bool return_inverse=False, bool return_counts=False) -> (Tensor, "
    "Tensor, Tensor)"};
inline constexpr Schema kUniqueDim{
    "aten::unique_dim(Tensor self, int dim, bool sorted=True, bool return_inverse=False, bool return_counts=False) -> "
    "(Tensor, Tensor, Tensor)"};
inline constexpr Schema kUnique{
    "aten::_unique(Tensor self, bool sorted=True, bool return_inverse=False) -> (Tensor, Tensor)"};
inline constexpr Schema kUniqueConsecutive{
    "aten::unique_consecutive(Tensor self, bool return_inverse=False, bool return_counts=False, int? dim=None) -> "
    "(Tensor, Tensor, Tensor)"};

}  // namespace ersatz::op_unique

namespace ersatz::ops {

struct UniqueResult {
  Tensor values;   ///< ascending, NaNs last
  Tensor inverse;  ///< i64: where among the values each element, or slice, is
  Tensor counts;   ///< i64: how often each value occurs
};
/// Of elements: a vector of them; `inverse` has the sizes of `self`. What is not asked for has no elements, and i64
/// too.
UniqueResult unique(const Tensor& self, bool return_inverse = false, bool return_counts = false);
/// Of slices of one dim, in lexicographic order.
/// [unique_dim.C1] the input has dims (index error).
/// [unique_dim.C2] no other dim has size 0.
UniqueResult unique_dim(const Tensor& self, int64_t dim);
/// One of each run of equal neighbours, of the elements in row-major order or of the slices of a dim; of slices inverse
/// and counts are returned always.
/// [unique_consecutive.C1] the input has dims (index error).
/// [unique_consecutive.C2] no other dim has size 0.
UniqueResult unique_consecutive(const Tensor& self, bool return_inverse = false, bool return_counts = false,
                                std::optional<int64_t> dim = std::nullopt);

}  // namespace ersatz::ops
