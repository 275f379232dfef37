// Operators that return a number of a tensor's metadata: a size, a stride, the offset, the number of elements.
//
// Their results are known without a kernel, so a tracer writes a node for one only if another node uses the number.
#pragma once

#include <cstdint>

#include "runtime/op/op_entry.h"

namespace ersatz {

/// Returns the operator that reads one number of that kind: `query(tensor)`, or `query(tensor, dim)` for a size or
/// stride.
const OpEntry& querying_op(MetadataQuery query);

}  // namespace ersatz
