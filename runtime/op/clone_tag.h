// A tag beside those of runtime/op/op_entry.h, in a header of its own because few files ask for it.
#pragma once

#include "runtime/op/op_entry.h"

namespace ersatz {

/// The op copies a tensor and does nothing else: it returns a fresh one with its argument's elements and metadata.
/// A FakeCopyScope makes what such an op returns fake. Ops that convert or write do not have the tag.
inline constexpr Tag kCloneTag = static_cast<Tag>(1u << 18);

}  // namespace ersatz
