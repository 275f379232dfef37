// Additional Tags (runtime/op/op_entry.h). They have a header of their own because few files use them.
#pragma once

#include "runtime/op/op_entry.h"

namespace ersatz {

/// The results after the first are saved for backward. Their dtypes and sizes may differ between devices, because each
/// device's kernel chooses them.
inline constexpr Tag kSavedByDevice = static_cast<Tag>(1u << 21);
/// The values of the results after the first may differ between devices, in addition to their dtypes and sizes.
inline constexpr Tag kSavedValuesByDevice = static_cast<Tag>(1u << 30);
/// The last result has, for each element of the first result, the element's index along `dim` of the first argument.
/// Among equal elements, each device may choose another index. If an argument `sorted` is false, the order of the
/// elements may differ between devices too.
inline constexpr Tag kTiesByDevice = static_cast<Tag>(1u << 22);
/// The result has the elements of `src` (or of the first argument, if there is no `src`), converted to the result's
/// dtype. If a float does not fit into an integer dtype, the converted value depends on the device.
inline constexpr Tag kConvertsByDevice = static_cast<Tag>(1u << 24);
/// On CUDA, with half dtypes, the op rounds its weights to the operands' dtype before it multiplies by them, as tensor
/// cores require. The weights are between 0 and 1 and add up to 1.
inline constexpr Tag kRoundsWeights = static_cast<Tag>(1u << 17);

}  // namespace ersatz
