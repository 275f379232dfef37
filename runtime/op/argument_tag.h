// A tag beside those of runtime/op/op_entry.h, in a header of its own because few files ask for it.
#pragma once

#include "runtime/op/op_entry.h"

namespace ersatz {

/// Where there is nothing to do the result is the argument itself, or a view of it, though the schema declares no
/// alias.
inline constexpr Tag kMayReturnArgument = static_cast<Tag>(1u << 23);

}  // namespace ersatz
