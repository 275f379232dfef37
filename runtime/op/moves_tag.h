// A tag beside those of runtime/op/op_entry.h, in a header of its own because few files ask for it.
#pragma once

#include "runtime/op/op_entry.h"

namespace ersatz {

/// The op's CUDA kernel moves or converts elements of every dtype. Kernels of other ops are given no tensor of
/// kLimitedDTypes (runtime/op/widened_call.h).
inline constexpr Tag kMovesEveryDType = static_cast<Tag>(1u << 19);

}  // namespace ersatz
