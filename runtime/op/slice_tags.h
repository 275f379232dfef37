// Tags beside those of runtime/op/op_entry.h: ops that a loop over the slices of tensors is made of, for callers that
// may not name them (runtime/op/tagged_op.h). One op has each.
#pragma once

#include "runtime/op/op_entry.h"

namespace ersatz {

/// Reads the only element of a tensor as a number.
inline constexpr Tag kItemTag = static_cast<Tag>(1u << 25);
/// Takes a tensor, a dim and an index: a view without that dim.
inline constexpr Tag kSelectTag = static_cast<Tag>(1u << 26);
/// Takes tensors of one size and a dim: a tensor with that dim, whose slices they are.
inline constexpr Tag kStackTag = static_cast<Tag>(1u << 27);
/// Takes a tensor and sizes: zeros of its dtype and on its device, row-major.
inline constexpr Tag kZerosAlikeTag = static_cast<Tag>(1u << 28);
/// Takes a tensor, sizes and strides: unwritten memory of its dtype and on its device.
inline constexpr Tag kEmptyAlikeTag = static_cast<Tag>(1u << 29);

}  // namespace ersatz
