// Calls of an operator by another name, as synonyms and prims make them.
#pragma once

#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"

namespace ersatz {

/// Calls `entry` with these arguments and returns its results. Arguments that it has beyond these keep their defaults.
void call_entry(CompositeCall& call, const OpEntry& entry, std::span<const Value> arguments);

/// The body of an operator that is `op` with the same arguments.
template <OpName op>
void call_the_op(CompositeCall& call) {
  call_entry(call, op_entry<op>(), call.args);
}

}  // namespace ersatz
