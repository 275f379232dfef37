// _softmax, _log_softmax, softmax, log_softmax: exponentials normalised along one dim.
//
// Constraints, which _log_softmax has under its own name
// [_softmax.C1] half_to_float is true only for f16 on CUDA.
// [_softmax.C2] dim is in range (IndexError).
//
// The result is row-major for inputs of any strides. An empty input may have any dtype; other inputs are floats.
#pragma once

#include <optional>

#include "runtime/op/typed_schema.h"
#include "runtime/tensor/tensor.h"
#include "typed/reduction/softmax.h"

namespace ersatz::op_softmax {

/// If `dtype` is given, the elements are first converted to it.
inline constexpr TypedSchema kSoftmaxInt{"aten::{}.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor",
                                         "softmax", "log_softmax"};
inline constexpr Schema kSoftmax{"aten::_softmax(Tensor self, int dim, bool half_to_float) -> Tensor"};
inline constexpr Schema kLogSoftmax{"aten::_log_softmax(Tensor self, int dim, bool half_to_float) -> Tensor"};

}  // namespace ersatz::op_softmax

namespace ersatz::ops {

Tensor _softmax(const Tensor& self, int64_t dim, bool half_to_float = false);
Tensor _log_softmax(const Tensor& self, int64_t dim, bool half_to_float = false);

}  // namespace ersatz::ops
