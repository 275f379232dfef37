// Division of indices, which is faster on GPUs than a plain division of 64-bit integers.
#pragma once

#include <cstdint>

#include "runtime/base/host_device.h"

namespace ersatz {

/// Returns n / d. REQUIRES: n >= 0 and d > 0. A GPU divides in 32 bits if both numbers fit, because its 64-bit division
/// is slow.
ERSATZ_HD inline int64_t quotient(int64_t n, int64_t d) {
#if defined(__CUDA_ARCH__)
  if (((n | d) >> 31) == 0) return static_cast<int64_t>(static_cast<uint32_t>(n) / static_cast<uint32_t>(d));
#endif
  return n / d;
}

}  // namespace ersatz
