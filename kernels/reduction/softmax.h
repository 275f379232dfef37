// _softmax, _log_softmax, softmax, log_softmax: exponentials normalised along one dim.
//
// Constraints
// [_softmax.C1] half_to_float is for f16 on CUDA only.
// [_softmax.C2] dim is in range (IndexError).
// The same labels hold for _log_softmax.
//
// The result is row-major, whatever the input's strides. An empty input may have any dtype; else it is a float.
#pragma once

#include <optional>

#include "runtime/tensor/tensor.h"

namespace ersatz::ops {

Tensor _softmax(const Tensor& self, int64_t dim, bool half_to_float = false);
Tensor _log_softmax(const Tensor& self, int64_t dim, bool half_to_float = false);
/// The elements converted to `dtype` first, where one is given.
Tensor softmax(const Tensor& self, int64_t dim, std::optional<DType> dtype = std::nullopt);
Tensor log_softmax(const Tensor& self, int64_t dim, std::optional<DType> dtype = std::nullopt);

}  // namespace ersatz::ops
