// _safe_softmax: softmax along a dim, where a row of nothing but -inf becomes zeros instead of NaNs.
//
// [_safe_softmax.C1] an empty input is not complex (TypeError).
// Else as `softmax`: the dim is in range, the elements are converted to `dtype` first, the result is row-major.
#pragma once

#include <optional>

#include "runtime/op/schema_literal.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::op_safe_softmax {

inline constexpr Schema kSafeSoftmax{"aten::_safe_softmax(Tensor self, int dim, ScalarType? dtype=None) -> Tensor"};

}  // namespace ersatz::op_safe_softmax

namespace ersatz::ops {

Tensor _safe_softmax(const Tensor& self, int64_t dim, std::optional<DType> dtype = std::nullopt);

}  // namespace ersatz::ops
