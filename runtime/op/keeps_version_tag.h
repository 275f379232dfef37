// An additional Tag (runtime/op/op_entry.h). It has a header of its own because few files use it.
#pragma once

#include "runtime/op/op_entry.h"

namespace ersatz {

/// By its schema the op writes an argument, but it changes only the argument's autograd state and no element
/// (`detach_`). The argument's version counter therefore does not change.
inline constexpr Tag kKeepsVersion = static_cast<Tag>(uint64_t(1) << 33);

}  // namespace ersatz
