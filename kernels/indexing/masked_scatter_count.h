// A check of masked_scatter's values that all devices share.
#pragma once

#include "runtime/op/kernel.h"

namespace ersatz::op_masked_scatter {

/// RAISES: an error with `value_failure` if the mask is true at more positions than the source has elements.
inline void require_enough(const KernelCall& call, int64_t wanted, int64_t there) {
  if (wanted <= there) return;
  fail_on_value(call, ErrorFamily::Runtime, "the mask names {} places, source has {} elements", wanted, there);
}

}  // namespace ersatz::op_masked_scatter
