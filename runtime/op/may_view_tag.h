// An additional Tag (runtime/op/op_entry.h). It has a header of its own because few files use it.
#pragma once

#include "runtime/op/op_entry.h"

namespace ersatz {

/// By the schema, a result may be a view of an argument that the call does not write. Examples are `view`, and
/// `reshape`, whose result is a view for some layouts. Registration sets the tag from the schema.
inline constexpr Tag kMayViewTag = static_cast<Tag>(uint64_t(1) << 32);

}  // namespace ersatz
