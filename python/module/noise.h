// What the fresh memory of a kernel holds until the kernel writes it, where a call is watched.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ersatz::python {

/// Bytes that differ from place to place, the same ones each time.
inline void fill_with_noise(uint8_t* to, size_t n) {
  uint64_t state = 41;
  for (size_t i = 0; i < n; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    to[i] = static_cast<uint8_t>(state >> 56);
  }
}

}  // namespace ersatz::python
