// Additional Tags (runtime/op/op_entry.h) for the ops that loops over slices of tensors call. Callers that may not
// depend on op names find these ops by tag (runtime/op/tagged_op.h). Each tag belongs to one op.
#pragma once

#include "runtime/op/op_entry.h"

namespace ersatz {

/// Tags the op that returns the only element of a tensor as a number: `op(tensor)`.
inline constexpr Tag kItemTag = static_cast<Tag>(1u << 25);
/// Tags the op that returns a view of one slice, without the dim: `op(tensor, dim, index)`.
inline constexpr Tag kSelectTag = static_cast<Tag>(1u << 26);
/// Tags the op that stacks tensors of equal sizes along a new dim: `op(tensors, dim)`.
inline constexpr Tag kStackTag = static_cast<Tag>(1u << 27);
/// Tags the op that returns row-major zeros with the dtype and device of a tensor: `op(tensor, sizes)`.
inline constexpr Tag kZerosAlikeTag = static_cast<Tag>(1u << 28);
/// Tags the op that returns uninitialised memory with the dtype and device of a tensor: `op(tensor, sizes, strides)`.
inline constexpr Tag kEmptyAlikeTag = static_cast<Tag>(1u << 29);

}  // namespace ersatz
