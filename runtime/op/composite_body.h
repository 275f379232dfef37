// The body of a composite op, for modes that need more of its call than the results.
#pragma once

#include "runtime/op/composite.h"

namespace ersatz {

/// The device that a composite's body finds in its call: that of the first tensor which is no 0-d one on the CPU. Later
/// tensors are not looked at: where they are on another device, calls of the parts refuse that.
Device device_of_call(std::span<const Value> args, Device without_tensors);
/// Runs the body. What it raises for want of a kernel is that kind of error. REQUIRES: op.composite; `call` is of `op`.
void run_body(const OpEntry& op, CompositeCall& call);

}  // namespace ersatz
