// The body of a composite op, for modes that need more of its call than the results.
#pragma once

#include "runtime/op/composite.h"

namespace ersatz {

/// Runs the body. What it raises for want of a kernel is that kind of error. REQUIRES: op.composite; `call` is of `op`.
void run_body(const OpEntry& op, CompositeCall& call);

}  // namespace ersatz
