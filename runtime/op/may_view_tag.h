// A tag beside those of runtime/op/op_entry.h, in a header of its own because few files ask for it.
#pragma once

#include "runtime/op/op_entry.h"

namespace ersatz {

/// The schema says that a result may be a view of an argument that is not written: `view`, but also `reshape`, whose
/// result is a view for some layouts. Registering an operator sets it.
inline constexpr Tag kMayViewTag = static_cast<Tag>(uint64_t(1) << 32);

}  // namespace ersatz
