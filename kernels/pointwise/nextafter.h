// nextafter of f16 and bf16. It works on the bits of the dtype itself. A computation in f32, as in other ops, would
// round the result back to x.
#pragma once

#include <cstdint>

#include "runtime/base/dtype.h"
#include "runtime/base/host_device.h"

namespace ersatz {

/// Returns the bits of the float after x towards y; `fx` and `fy` are the values of x and y. Bits of adjacent floats
/// differ by one.
ERSATZ_HD inline uint16_t next_bits(uint16_t x, uint16_t y, float fx, float fy) {
  constexpr uint16_t kSign = 0x8000;
  if (fx != fx) return x;
  if (fy != fy || fx == fy) return y;
  if (fx == 0) return static_cast<uint16_t>((y & kSign) | 1);
  return static_cast<uint16_t>((fx < fy) == (fx > 0) ? x + 1 : x - 1);
}

/// Computes n adjacent elements of `dtype` on CUDA. The pointer is null until the CUDA module is loaded.
using DeviceNextafter = void (*)(int device, DType dtype, const void* x, const void* y, void* out, int64_t n);
DeviceNextafter& device_nextafter();

}  // namespace ersatz
