// Counts how often a call writes each element of its result, for the few ops that may write one element several times.
//
// If an index of `scatter` names an element twice, the element keeps one of two values, and ATen does not define which
// one. Kernels of two devices, or two runs, may therefore differ in that element and both be right. A WriteCount is no
// member of OpEntry, because few ops have one and few files use it.
#pragma once

#include "runtime/op/op_entry.h"

namespace ersatz {

/// REQUIRES: `args` are the arguments of the functional op in a call that succeeded, with tensors on the CPU. Returns a
/// CPU tensor (any dtype) with the sizes of the first result and the number of writes to each element. Returns an
/// undefined tensor if no element can be written twice. Does not read the elements of `self`, because an in-place call
/// has changed them.
using WriteCount = Tensor (*)(std::span<const Value> args);

/// Sets the op's WriteCount. Called while ops are registered.
void count_writes(const OpEntry& op, WriteCount count);
/// Returns the WriteCount of the op, or of the functional op that the op is derived from. Null if each element is
/// written once.
WriteCount write_count_of(const OpEntry& op);

}  // namespace ersatz
