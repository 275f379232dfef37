// Copies a strided block of memory on any device. Kernels need it for negative strides, which no tensor can have.
#pragma once

#include "kernels/pointwise/copy_engine.h"
#include "kernels/pointwise/device_rows.h"

namespace ersatz {

/// Calls pointwise::copy_strided on the CPU, or the copy function of the CUDA module.
inline void copy_block(Device device, std::span<const int64_t> sizes, std::byte* to, DType to_dtype,
                       std::span<const int64_t> to_strides, const std::byte* from, DType from_dtype,
                       std::span<const int64_t> from_strides) {
  if (!device.is_cuda()) {
    return pointwise::copy_strided(sizes, to, to_dtype, to_strides, from, from_dtype, from_strides);
  }
  pointwise::device_rows().copy(device.index, sizes, {to, to_dtype, to_strides},
                                {const_cast<std::byte*>(from), from_dtype, from_strides}, false, false);
}

}  // namespace ersatz
