// Checks and result sizes of bincount that all devices share.
#pragma once

#include "kernels/indexing/bincount.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_bincount {

/// Returns the dtype in which weights are summed.
inline DType sums_dtype(DType weights) { return weights == DType::F32 ? DType::F32 : DType::F64; }

/// Returns the number of bins for elements in `least`..`most`. RAISES: an error with `value_failure` if `least` is
/// negative.
inline int64_t count_of_bins(const KernelCall& call, int64_t least, int64_t most) {
  if (least < 0) fail_on_value(call, ErrorFamily::Runtime, "a negative number cannot be counted: {}", least);
  return std::max(call.integer(kBincount["minlength"]), most + 1);
}

}  // namespace ersatz::op_bincount
