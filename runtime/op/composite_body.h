// Runs the body of a composite op on a CompositeCall that the caller made, for modes that need more than the results.
#pragma once

#include "runtime/op/composite.h"

namespace ersatz {

/// Returns the device that a composite's body uses: that of the first tensor that is not a 0-d CPU tensor. If there is
/// none, returns the device of the first tensor, or `without_tensors` if there is no tensor. This function does not
/// compare the devices of later tensors; the ops that the body calls compare them.
Device device_of_call(std::span<const Value> args, Device without_tensors);
/// Runs the body. If an op that the body calls has no kernel, raises the error of a missing kernel. REQUIRES:
/// op.composite is not null, and `call.op` is `op`.
void run_body(const OpEntry& op, CompositeCall& call);

}  // namespace ersatz
