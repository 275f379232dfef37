// The autograd step of dispatch: runs the call under ExcludeAutograd, then gives its results a grad_fn.
#pragma once

#include "runtime/autograd/autograd_meta.h"
#include "runtime/op/autograd_entry.h"

namespace ersatz {

/// Runs a call with the function `below`, tracks the views that it makes, and gives its results a node if an argument
/// requires a gradient. Raises a Runtime error for a write that autograd cannot record: into a leaf, into an `out=`
/// argument, or into a view that was returned together with other views.
void record_call(const OpEntry& op, std::span<const Value> args, Values& results, RunCall below);

/// Returns whether record_call would give the results a node of this operator, and not nodes of the operators that it
/// calls. Returns false under ExcludeAutograd and if no gradient is needed.
bool gets_own_node(const OpEntry& op, std::span<const Value> args);

}  // namespace ersatz
