// _softmax, _log_softmax, softmax, log_softmax: exponentials normalised along one dim.
//
// Constraints
// [_softmax.C1] half_to_float is only for f16 on CUDA.
// [_softmax.C2] dim is in range (IndexError).
// The labels hold for _log_softmax, too.
//
// The result is row-major, whatever the input's strides. An empty input may have any dtype; other inputs are floats.
#pragma once

#include <optional>

#include "runtime/op/typed_schema.h"
#include "runtime/tensor/tensor.h"
#include "typed/reduction/softmax.h"

namespace ersatz::op_softmax {

/// Converts the elements to a given `dtype` first.
inline constexpr TypedSchema kSoftmaxInt{"aten::{}.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor",
                                         "softmax", "log_softmax"};
inline constexpr Schema kSoftmax{"aten::_softmax(Tensor self, int dim, bool half_to_float) -> Tensor"};
inline constexpr Schema kLogSoftmax{"aten::_log_softmax(Tensor self, int dim, bool half_to_float) -> Tensor"};

}  // namespace ersatz::op_softmax

namespace ersatz::ops {

Tensor _softmax(const Tensor& self, int64_t dim, bool half_to_float = false);
Tensor _log_softmax(const Tensor& self, int64_t dim, bool half_to_float = false);

}  // namespace ersatz::ops
