// Functions for synonyms and prims that call the operator for which they are another name.
#pragma once

#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"

namespace ersatz {

/// Calls `entry` with `arguments`, and makes its results the results of `call`. Missing arguments get the defaults of
/// `entry`.
void call_entry(CompositeCall& call, const OpEntry& entry, std::span<const Value> arguments);

/// The body of an operator that passes all its arguments to `op`.
template <OpName op>
void call_the_op(CompositeCall& call) {
  call_entry(call, op_entry<op>(), call.args);
}

}  // namespace ersatz
