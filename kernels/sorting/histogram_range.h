// The range of the elements of a tensor, from which CPU and CUDA kernels compute bins.
#pragma once

#include <cmath>

#include "kernels/sorting/histogram.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_histogram {

struct Range {
  double low, high;
};

inline void require_finite(const KernelCall& call, Range range) {
  if (!std::isfinite(range.low) || !std::isfinite(range.high))
    fail_on_value(call, ErrorFamily::Runtime, "the elements' range of [{}, {}] is not finite", range.low, range.high);
}

}  // namespace ersatz::op_histogram
