// Operators that return one number of a tensor's metadata: a size, a stride, the storage offset, or the number of
// elements.
//
// Their results are known without a kernel. A tracer therefore adds an FX node for one of these operators only if
// another node uses the number.
#pragma once

#include <cstdint>

#include "runtime/op/op_entry.h"

namespace ersatz {

/// Returns the operator for `query`. The operator is called as `op(tensor, dim)` for a size or stride, else as
/// `op(tensor)`.
const OpEntry& querying_op(MetadataQuery query);

}  // namespace ersatz
