// Dividing indices.
#pragma once

#include <cstdint>

#include "runtime/base/host_device.h"

namespace ersatz {

/// n / d of numbers that are not negative, on a GPU by 32 bits where that is enough: 64 bits are a long loop there.
ERSATZ_HD inline int64_t quotient(int64_t n, int64_t d) {
#if defined(__CUDA_ARCH__)
  if (((n | d) >> 31) == 0) return static_cast<int64_t>(static_cast<uint32_t>(n) / static_cast<uint32_t>(d));
#endif
  return n / d;
}

}  // namespace ersatz
