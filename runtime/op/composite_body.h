// The body of a composite op, for modes that need more of its call than the results.
#pragma once

#include "runtime/op/composite.h"

namespace ersatz {

/// Returns the device that a composite's body uses: that of the first tensor that is not a 0-d CPU tensor, or
/// `without_tensors`. Later tensors are not read; if they are on another device, the calls of the parts raise the
/// error.
Device device_of_call(std::span<const Value> args, Device without_tensors);
/// Runs the body. If a part has no kernel, the error is that of a missing kernel. REQUIRES: op.composite, `call.op` is
/// `op`.
void run_body(const OpEntry& op, CompositeCall& call);

}  // namespace ersatz
