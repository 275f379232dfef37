// A tag like those of runtime/op/op_entry.h, in a header of its own because few files ask for it.
#pragma once

#include "runtime/op/op_entry.h"

namespace ersatz {

/// The op changes what autograd knows of the argument that its schema says it writes, and no element: the argument's
/// version stays (`detach_`).
inline constexpr Tag kKeepsVersion = static_cast<Tag>(uint64_t(1) << 33);

}  // namespace ersatz
