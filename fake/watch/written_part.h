// Excludes from comparisons the bytes that a storage gained when it grew. No op wrote them, so their values are
// unspecified and differ between devices.
#pragma once

#include "runtime/tensor/tensor.h"

namespace ersatz {

/// Sets an element of `dense` to 0 unless all of its bytes in the storage of `meta` are among the first `written`
/// bytes. Returns the number of elements that it keeps. REQUIRES: `dense` is row-major on the CPU, with the dtype and
/// sizes of `meta`.
int64_t keep_written(const Tensor& dense, const TensorMeta& meta, int64_t written);

}  // namespace ersatz
