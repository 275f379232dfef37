// The mapping from places of a padded dim to elements of the unpadded dim, for CPU and CUDA kernels.
#pragma once

#include <cstdint>

#include "runtime/base/host_device.h"

namespace ersatz {

/// A source struct maps places, which are indices of the padded dim, to elements of a dim of `size`. operator() returns
/// the element copied to place i. `next` returns the first place after `place` that element i is copied to, or
/// kNoPlace.
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
