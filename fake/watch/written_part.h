// Bytes that were never written: what a storage gains when it grows. Their values are unspecified and differ by device.
#pragma once

#include "runtime/tensor/tensor.h"

namespace ersatz {

/// Sets the elements of `dense` to 0 that a tensor of `meta` has behind the first `written` bytes of its storage,
/// wholly or in part. Returns how many lie before. `dense`: row-major on the CPU, with the dtype and sizes of `meta`.
int64_t keep_written(const Tensor& dense, const TensorMeta& meta, int64_t written);

}  // namespace ersatz
