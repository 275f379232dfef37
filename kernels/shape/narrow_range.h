// The range of a dim for `narrow` and `narrow_copy`.
#pragma once

#include "kernels/shape/slice.h"
#include "runtime/op/rule.h"

namespace ersatz {

struct NarrowRange {
  int64_t dim;
  SymInt start, end;
};

/// Returns the range for the arguments (self, dim, start, length), wrapped. Refuses under labels C1 to C4 of the
/// calling op.
NarrowRange narrow_range(const RuleCall& call);
/// narrow_range with another `start` than the argument.
NarrowRange narrow_range(const RuleCall& call, SymInt start);

}  // namespace ersatz
