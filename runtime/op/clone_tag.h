// An additional Tag (runtime/op/op_entry.h). It has a header of its own because few files use it.
#pragma once

#include "runtime/op/op_entry.h"

namespace ersatz {

/// The op only copies a tensor: it returns a new tensor with the elements and metadata of its argument. Inside a
/// FakeCopyScope, the results of these ops are fake. Ops that convert or write do not have the tag.
inline constexpr Tag kCloneTag = static_cast<Tag>(1u << 18);

}  // namespace ersatz
