// Computes where the windows of fractional max pools begin, for the CPU and CUDA.
#pragma once

#include <cmath>
#include <cstdint>

#include "runtime/base/host_device.h"

namespace ersatz {

/// Returns where window `i` of `n` windows of `kernel` elements begins, in a dim of `size` elements. `u` is the dim's
/// random number. Each step is rounded to the type Rounded.
template <class Rounded, class Acc>
ERSATZ_HD int64_t window_begin(int64_t i, int64_t n, int64_t size, int64_t kernel, Acc u) {
  const int64_t last = size - kernel;
  if (i + 1 >= n) return last;
  const Acc alpha = Acc(Rounded(Acc(last) / Acc(n - 1)));
  const Acc moved = Acc(Rounded(Acc(i) + u)), begin = Acc(Rounded(moved * alpha)), before = Acc(Rounded(u * alpha));
  const Acc at = std::trunc(begin) - std::trunc(before);
  return at > 0 ? (at < Acc(last) ? static_cast<int64_t>(at) : last) : 0;
}

}  // namespace ersatz
