// The `reduction` argument of losses. 0 returns the loss of each element, 1 the mean, 2 the sum. For other numbers,
// ATen returns the loss of each element, except where a loss's header says otherwise.
#pragma once

#include "kernels/reduction/mean.h"
#include "kernels/reduction/sum.h"

namespace ersatz {

inline constexpr int64_t kReduceNone = 0, kReduceMean = 1, kReduceSum = 2;

inline bool reduces(int64_t reduction) { return reduction == kReduceMean || reduction == kReduceSum; }
inline Tensor reduced(const Tensor& losses, int64_t reduction) {
  if (reduction == kReduceMean) return ops::mean(losses);
  return reduction == kReduceSum ? ops::sum(losses) : losses;
}

}  // namespace ersatz
