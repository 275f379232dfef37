// Computes the range of indices that `narrow` and `narrow_copy` select.
#pragma once

#include "kernels/shape/slice.h"
#include "runtime/op/rule.h"

namespace ersatz {

struct NarrowRange {
  int64_t dim;
  SymInt start, end;
};

/// Returns the range for the arguments (self, dim, start, length), with negative numbers wrapped. Refuses ranges
/// outside of the dim under labels C1 to C4 of the calling op.
NarrowRange narrow_range(const RuleCall& call);
/// Works like narrow_range(call), but takes `start` from its parameter and not from the call.
NarrowRange narrow_range(const RuleCall& call, SymInt start);

}  // namespace ersatz
