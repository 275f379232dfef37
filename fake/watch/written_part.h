// Bytes that a storage gained when it grew. Nothing wrote them: their values are unspecified and differ by device.
#pragma once

#include "runtime/tensor/tensor.h"

namespace ersatz {

/// Sets elements of `dense` to 0 if a tensor of `meta` has them, wholly or in part, after the first `written` bytes of
/// its storage. Returns the number of the other elements. REQUIRES: `dense` is row-major on the CPU, with the dtype and
/// sizes of `meta`.
int64_t keep_written(const Tensor& dense, const TensorMeta& meta, int64_t written);

}  // namespace ersatz
