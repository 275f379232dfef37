// The unique elements, or slices, of a tensor: `_unique`, `_unique2`, `unique_dim`, `unique_consecutive`. Their number
// depends on values, so a fake run does not know it. A NaN differs from every other NaN.
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
  Tensor inverse;  ///< i64: for each element or slice, its index in `values`
  Tensor counts;   ///< i64: number of occurrences of each value
};
/// Unique elements as a vector; `inverse` has the sizes of `self`. Results that are not requested are empty i64
/// tensors.
UniqueResult unique(const Tensor& self, bool return_inverse = false, bool return_counts = false);
/// Unique slices of one dim, in lexicographic order.
/// [unique_dim.C1] the input has dims (IndexError).
/// [unique_dim.C2] no other dim has size 0.
UniqueResult unique_dim(const Tensor& self, int64_t dim);
/// One element of each run of equal adjacent elements, in row-major order, or one slice of each run of equal slices of
/// `dim`. For slices, inverse and counts are always returned.
/// [unique_consecutive.C1] the input has dims (IndexError).
/// [unique_consecutive.C2] no other dim has size 0.
UniqueResult unique_consecutive(const Tensor& self, bool return_inverse = false, bool return_counts = false,
                                std::optional<int64_t> dim = std::nullopt);

}  // namespace ersatz::ops
