// The part of a dim that `narrow` and `narrow_copy` ask for.
#pragma once

#include "kernels/shape/slice.h"
#include "runtime/op/rule.h"

namespace ersatz {

struct NarrowRange {
  int64_t dim;
  SymInt start, end;
};

/// Of (self, dim, start, length): wrapped, and checked under the labels C1 to C4 of the calling op.
NarrowRange narrow_range(const RuleCall& call);
/// The same with a `start` that comes from elsewhere.
NarrowRange narrow_range(const RuleCall& call, SymInt start);

}  // namespace ersatz
