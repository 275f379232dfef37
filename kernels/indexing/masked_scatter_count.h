// What masked_scatter asks of its values, on any device.
#pragma once

#include "runtime/op/kernel.h"

namespace ersatz::op_masked_scatter {

/// A value failure where the mask names more places than the source has elements.
inline void require_enough(const KernelCall& call, int64_t wanted, int64_t there) {
  if (wanted <= there) return;
  fail_on_value(call, ErrorFamily::Runtime, "the mask names {} places, source has {} elements", wanted, there);
}

}  // namespace ersatz::op_masked_scatter
