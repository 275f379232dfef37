// Tags beside those of runtime/op/op_entry.h, in a header of their own because few files ask for them.
#pragma once

#include "runtime/op/op_entry.h"

namespace ersatz {

/// Results after the first are saved for a gradient, and each device chooses what it saves: their dtypes and sizes may
/// differ between devices.
inline constexpr Tag kSavedByDevice = static_cast<Tag>(1u << 21);
/// Beside these also their values.
inline constexpr Tag kSavedValuesByDevice = static_cast<Tag>(1u << 30);
/// The last result says where along `dim` of the first argument the first one's elements (or its sorted elements)
/// stand; of equal elements each device may choose another one. Where an argument `sorted` is false, the order of those
/// elements is the device's too.
inline constexpr Tag kTiesByDevice = static_cast<Tag>(1u << 22);
/// The result holds the elements of `src` (where there is no such argument, of the first one), converted to its dtype.
/// What becomes of a float that an integer cannot hold is each device's own.
inline constexpr Tag kConvertsByDevice = static_cast<Tag>(1u << 24);
/// Weights that lie between 0 and 1 and add up to 1 are rounded to the operands' dtype before values are multiplied by
/// them, as tensor cores take them: of halves, on CUDA.
inline constexpr Tag kRoundsWeights = static_cast<Tag>(1u << 17);

}  // namespace ersatz
