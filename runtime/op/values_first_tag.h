// A tag beside those of runtime/op/op_entry.h, in a header of its own because few files ask for it.
#pragma once

#include "runtime/op/op_entry.h"

namespace ersatz {

/// PyTorch looks at values of the op's arguments before it asks for dtypes: a call that the rule refuses for a dtype
/// may be refused for a value instead, with an error of another family.
inline constexpr Tag kValuesFirst = static_cast<Tag>(1u << 30);

}  // namespace ersatz
