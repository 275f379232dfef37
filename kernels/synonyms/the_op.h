// Calls of an operator by another name, for synonyms and prims.
#pragma once

#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"

namespace ersatz {

/// Calls `entry` with these arguments and returns its results. Arguments of `entry` that are not given have their
/// defaults.
void call_entry(CompositeCall& call, const OpEntry& entry, std::span<const Value> arguments);

/// The body of an operator that calls `op` with the same arguments.
template <OpName op>
void call_the_op(CompositeCall& call) {
  call_entry(call, op_entry<op>(), call.args);
}

}  // namespace ersatz
