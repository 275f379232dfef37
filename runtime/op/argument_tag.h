// An additional Tag (runtime/op/op_entry.h). It has a header of its own because few files use it.
#pragma once

#include "runtime/op/op_entry.h"

namespace ersatz {

/// The op may return its argument itself or a view of the argument, although the op's schema declares no alias.
inline constexpr Tag kMayReturnArgument = static_cast<Tag>(1u << 23);

}  // namespace ersatz
