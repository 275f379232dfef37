// Operators that ask for a tensor's metadata and give a number: sizes, strides, offset, number of elements.
//
// Their answers are known without running anything, so a tracer writes a node for one only where somebody uses it.
#pragma once

#include <cstdint>

#include "runtime/op/op_entry.h"

namespace ersatz {

/// The operator that asks for one number of that kind: `query(tensor)`, of a size or a stride `query(tensor, dim)`.
const OpEntry& querying_op(MetadataQuery query);

}  // namespace ersatz
