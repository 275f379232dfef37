// Counts how often a call writes each element of its result, for the few ops that may write an element several times.
//
// `scatter` with an index that names an element twice leaves one of the two values there, and ATen does not say which.
// Kernels of two devices, or of two runs, may differ in that element and both be right. It is not a member of OpEntry,
// because few ops have it and few files ask.
#pragma once

#include "runtime/op/op_entry.h"

namespace ersatz {

/// Takes the arguments of the functional op, tensors on the CPU, of a call that succeeded. Returns a tensor on the CPU
/// (any dtype) with the number of writes to each element, in the sizes of the first result. It is undefined if no
/// element can be written twice. The values of `self` are not read: an in-place call has changed them.
using WriteCount = Tensor (*)(std::span<const Value> args);

/// Sets the op's WriteCount. REQUIRES: registration time.
void count_writes(const OpEntry& op, WriteCount count);
/// Returns the WriteCount of the op, or of the functional op that it is derived from. Null if each element is written
/// once.
WriteCount write_count_of(const OpEntry& op);

}  // namespace ersatz
