// Additional Tags (runtime/op/op_entry.h). They have a header of their own because few files use them.
#pragma once

#include "runtime/op/op_entry.h"

namespace ersatz {

/// Results after the first are saved for backward, and each device chooses them: their dtypes and sizes may differ
/// between devices.
inline constexpr Tag kSavedByDevice = static_cast<Tag>(1u << 21);
/// The values of results after the first differ between devices too, not only their dtypes and sizes.
inline constexpr Tag kSavedValuesByDevice = static_cast<Tag>(1u << 30);
/// The last result has the indices along `dim` of the first argument at which the first result's elements were found.
/// Each device may choose another index among equal elements. If an argument `sorted` is false, the device also chooses
/// the order of the elements.
inline constexpr Tag kTiesByDevice = static_cast<Tag>(1u << 22);
/// The result has the elements of `src` (or of the first argument, if there is no `src`), converted to its dtype. If a
/// float does not fit into the integer dtype, each device has its own result.
inline constexpr Tag kConvertsByDevice = static_cast<Tag>(1u << 24);
/// On CUDA, with half dtypes, the op rounds its weights to the operands' dtype before it multiplies by them, as tensor
/// cores require. The weights are between 0 and 1 and add up to 1.
inline constexpr Tag kRoundsWeights = static_cast<Tag>(1u << 17);

}  // namespace ersatz
