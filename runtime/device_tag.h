// A tag beside those of runtime/op_entry.h, in a header of its own because few files ask for it.
#pragma once

#include "runtime/op_entry.h"

namespace ersatz {

/// Results after the first are saved for a gradient, and each device saves what it likes: their dtypes and sizes may
/// differ between devices.
inline constexpr Tag kSavedByDevice = static_cast<Tag>(1u << 21);

}  // namespace ersatz
