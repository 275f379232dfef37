// Which tensors of a call hold positions, and how many positions there are: an op's declared index domains, applied to
// its arguments.
#pragma once

#include <vector>

#include "runtime/op/op_entry.h"

namespace ersatz {

struct IndexBound {
  TensorImpl* index;  ///< an integer tensor among the arguments
  int64_t bound;      ///< its values are in [0, bound); 0: no position is valid
};

/// One for each integer tensor in an argument that the op declares to hold positions. Left out: those of a dim that the
/// indexed tensor has not, which the op refuses. Fake or real arguments; REQUIRES plain sizes.
std::vector<IndexBound> index_bounds(const OpEntry& op, std::span<const Value> args);

}  // namespace ersatz
