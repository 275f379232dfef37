// count_nonzero: how many elements are not zero, of all or over dims.
//
// Constraints
// [count_nonzero.C1] dims are in range, at most 64, each named once.
// No dims: of all. The result is i64 and row-major.
#pragma once

#include <optional>

#include "runtime/op/schema_literal.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::op_count_nonzero {

inline constexpr Schema kCountNonzero{"aten::count_nonzero(Tensor self, int? dim=None) -> Tensor"};
inline constexpr Schema kCountNonzeroDimIntList{"aten::count_nonzero.dim_IntList(Tensor self, int[] dim) -> Tensor"};

}  // namespace ersatz::op_count_nonzero

namespace ersatz::ops {

Tensor count_nonzero(const Tensor& self, std::optional<int64_t> dim = std::nullopt);
Tensor count_nonzero(const Tensor& self, std::span<const SymInt> dim);

}  // namespace ersatz::ops
