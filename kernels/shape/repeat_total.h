// The number of indices that repeat_interleave returns, and the errors about values that it raises.
#pragma once

#include "kernels/shape/repeat_interleave.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_repeat_interleave {

/// Raises a value failure if `output_size` is given and is not `total`. Empty repeats accept any output_size.
inline void require_output_size(const KernelCall& call, int64_t total) {
  if (!call.has(kOfRepeats["output_size"]) || call.integer(kOfRepeats["output_size"]) == total ||
      call.tensor(kOfRepeats["repeats"]).numel().as_int() == 0)
    return;
  fail_on_value(call, ErrorFamily::Runtime, "output_size {} must be the sum of repeats, {}",
                call.integer(kOfRepeats["output_size"]), total);
}

/// Returns the sum of `counts`, which are on the host. Raises a value failure for a negative count, a sum beyond 64
/// bits, and a sum that is not the given output_size.
inline int64_t total_repeats(const KernelCall& call, std::span<const int64_t> counts) {
  int64_t total = 0;
  for (size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] < 0) {
      fail_on_value(call, ErrorFamily::Runtime, "repeats must not be negative: element {} is {}", i, counts[i]);
    }
    if (__builtin_add_overflow(total, counts[i], &total)) {
      fail_on_value(call, ErrorFamily::Runtime, "the sum of repeats does not fit 64 bits");
    }
  }
  require_output_size(call, total);
  return total;
}

}  // namespace ersatz::op_repeat_interleave
