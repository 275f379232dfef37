// A tag beside those of runtime/op/op_entry.h, in a header of its own because few files ask for it.
#pragma once

#include "runtime/op/op_entry.h"

namespace ersatz {

/// The op answers a fresh tensor with its argument's elements and metadata, and that is all it is for: what a copy of a
/// tensor goes through. Conversions and writes are none of it.
inline constexpr Tag kCloneTag = static_cast<Tag>(1u << 16);

}  // namespace ersatz
