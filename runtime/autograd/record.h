// What dispatch does for autograd: the call runs below, then its results get a node.
#pragma once

#include "runtime/autograd/autograd_meta.h"
#include "runtime/op/autograd_entry.h"

namespace ersatz {

/// Runs a call, follows the views that it makes, and gives its results a node where a gradient of an argument is
/// wanted. `below` runs the call itself. Raises a Runtime error for a write that autograd cannot follow: into a leaf,
/// into an `out=` argument, into one of several views.
void record_call(const OpEntry& op, std::span<const Value> args, Values& results, RunCall below);

/// Would record_call give results of the call a node of its own, not nodes of its parts? False where autograd is
/// excluded or no gradient is wanted.
bool gets_own_node(const OpEntry& op, std::span<const Value> args);

}  // namespace ersatz
