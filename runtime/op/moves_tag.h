// An additional Tag (runtime/op/op_entry.h). It has a header of its own because few files use it.
#pragma once

#include "runtime/op/op_entry.h"

namespace ersatz {

/// The op's CUDA kernel copies or converts elements of every dtype. A kernel of an op without the tag never gets a
/// tensor of kLimitedDTypes: a call with one runs in a wider dtype (runtime/op/widened_call.h).
inline constexpr Tag kMovesEveryDType = static_cast<Tag>(1u << 19);

}  // namespace ersatz
