// count_nonzero: how many elements are not zero, of all or over dims.
//
// Constraints
// [count_nonzero.C1] dims are in range, at most 64, each named once.
// No dims: of all. The result is i64 and row-major.
#pragma once

#include <optional>

#include "runtime/tensor/tensor.h"

namespace ersatz::ops {

Tensor count_nonzero(const Tensor& self, std::optional<int64_t> dim = std::nullopt);
Tensor count_nonzero(const Tensor& self, std::span<const SymInt> dim);

}  // namespace ersatz::ops
