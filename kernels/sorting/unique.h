// The unique elements or slices of a tensor: `_unique`, `_unique2`, `unique_dim`, `unique_consecutive`. Their number
// depends on values, so it is unknown in a fake run. A NaN differs from every other NaN.
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
  Tensor inverse;  ///< i64: for each element or slice, the index of its value in `values`
  Tensor counts;   ///< i64: number of occurrences of each value
};
/// Returns the unique elements as a vector; `inverse` has the sizes of `self`. Results that are not requested are empty
/// i64 tensors.
UniqueResult unique(const Tensor& self, bool return_inverse = false, bool return_counts = false);
/// Returns the unique slices along `dim`, in lexicographic order.
/// [unique_dim.C1] the input has at least one dim (else IndexError).
/// [unique_dim.C2] no other dim has size 0.
UniqueResult unique_dim(const Tensor& self, int64_t dim);
/// Returns one element of each run of equal adjacent elements, in row-major order. With `dim`, returns one slice of
/// each run of equal adjacent slices; inverse and counts are then computed even if they are not requested.
/// [unique_consecutive.C1] the input has at least one dim (else IndexError).
/// [unique_consecutive.C2] no other dim has size 0.
UniqueResult unique_consecutive(const Tensor& self, bool return_inverse = false, bool return_counts = false,
                                std::optional<int64_t> dim = std::nullopt);

}  // namespace ersatz::ops
