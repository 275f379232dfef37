// The mapping between places of a padded dim and elements of the dim, for the CPU and CUDA.
#pragma once

#include <cstdint>

#include "runtime/base/host_device.h"

namespace ersatz {

/// A source maps places (indices of the padded dim) to elements of a dim of `size`. operator() returns the element at
/// place i. `next` returns the first place after `place` that has element i, or kNoPlace if there is none.
inline constexpr int64_t kNoPlace = INT64_MAX;

struct ReflectedSource {
  ERSATZ_HD int64_t operator()(int64_t i, int64_t size) const { return i < 0 ? -i : i < size ? i : 2 * (size - 1) - i; }
  ERSATZ_HD static int64_t next(int64_t place, int64_t i, int64_t size) {
    const int64_t mirrored = 2 * (size - 1) - i;
    return place < -i ? -i : place < i ? i : place < mirrored ? mirrored : kNoPlace;
  }
};
struct ReplicatedSource {
  ERSATZ_HD int64_t operator()(int64_t i, int64_t size) const { return i < 0 ? 0 : i < size ? i : size - 1; }
  ERSATZ_HD static int64_t next(int64_t place, int64_t i, int64_t size) {
    if (i == 0 && place < 0) return place + 1;
    if (place < i) return i;
    return i == size - 1 ? place + 1 : kNoPlace;
  }
};

}  // namespace ersatz
