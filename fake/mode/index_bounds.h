// Finds the index tensors of a call and the ranges of valid indices, from OpEntry::index_domains.
#pragma once

#include <vector>

#include "runtime/op/op_entry.h"

namespace ersatz {

struct IndexBound {
  TensorImpl* index;  ///< an integer tensor among the arguments
  int64_t bound;      ///< valid indices are in [0, bound); 0: no index is valid
};

/// Returns one bound for each integer tensor in an argument that the op declares to hold indices. If the indexed dim
/// does not exist, there is no bound, because the op refuses the call. Arguments may be fake or real. REQUIRES: no
/// symbolic sizes.
std::vector<IndexBound> index_bounds(const OpEntry& op, std::span<const Value> args);

}  // namespace ersatz
