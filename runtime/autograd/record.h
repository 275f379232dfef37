// The autograd step of dispatch: runs the call below autograd, then gives its results a node.
#pragma once

#include "runtime/autograd/autograd_meta.h"
#include "runtime/op/autograd_entry.h"

namespace ersatz {

/// Runs a call with `below`, tracks the views that it makes, and gives its results a node if an argument requires a
/// gradient. Raises a Runtime error for a write that autograd cannot follow: into a leaf, into an `out=` argument, or
/// into one of several views.
void record_call(const OpEntry& op, std::span<const Value> args, Values& results, RunCall below);

/// Would record_call give results of the call a node of its own, not nodes of its parts? False where autograd is
/// excluded or no gradient is wanted.
bool gets_own_node(const OpEntry& op, std::span<const Value> args);

}  // namespace ersatz
