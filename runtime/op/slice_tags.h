// Additional Tags (runtime/op/op_entry.h) for the ops that a loop over slices of tensors needs. Callers that must not
// use op names find them by tag (runtime/op/tagged_op.h). Each tag belongs to one op.
#pragma once

#include "runtime/op/op_entry.h"

namespace ersatz {

/// Returns the only element of a tensor as a number.
inline constexpr Tag kItemTag = static_cast<Tag>(1u << 25);
/// Takes a tensor, a dim and an index. Returns a view without that dim.
inline constexpr Tag kSelectTag = static_cast<Tag>(1u << 26);
/// Takes tensors of one size and a dim. Returns a tensor with a new dim whose slices are those tensors.
inline constexpr Tag kStackTag = static_cast<Tag>(1u << 27);
/// Takes a tensor and sizes. Returns row-major zeros of its dtype, on its device.
inline constexpr Tag kZerosAlikeTag = static_cast<Tag>(1u << 28);
/// Takes a tensor, sizes and strides. Returns uninitialised memory of its dtype, on its device.
inline constexpr Tag kEmptyAlikeTag = static_cast<Tag>(1u << 29);

}  // namespace ersatz
