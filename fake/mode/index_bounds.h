// The index tensors of a call and the ranges of their indices, from the op's declared index domains.
#pragma once

#include <vector>

#include "runtime/op/op_entry.h"

namespace ersatz {

struct IndexBound {
  TensorImpl* index;  ///< an integer tensor among the arguments
  int64_t bound;      ///< valid indices are in [0, bound); 0: no index is valid
};

/// Returns one bound for each integer tensor in an argument that the op declares to hold indices. A tensor for a dim
/// that does not exist gets none, because the op refuses the call. Arguments are fake or real. REQUIRES: no symbolic
/// sizes.
std::vector<IndexBound> index_bounds(const OpEntry& op, std::span<const Value> args);

}  // namespace ersatz
