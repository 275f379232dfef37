// Copies with a layout of their own: `clone`, `contiguous`.
#pragma once

#include <optional>

#include "runtime/op/typed_schema.h"
#include "typed/shape/clone.h"

namespace ersatz::op_clone {

/// A copy. Without a format (or `preserve`): the same strides where the input is non-overlapping and dense, else dense
/// strides in the order of the input's.
/// [clone.C1] a rank that the format has.
inline constexpr TypedSchema kClone{"aten::clone(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor"};
/// A copy with strides of the caller's choice, gaps and all.
/// [copy_strided.C1] a stride for each dim.
/// [copy_strided.C2] none negative.
/// [copy_strided.C3] no two elements of the copy share memory.
inline constexpr TypedSchema kCopyStrided{"prims::copy_strided(Tensor a, SymInt[] stride) -> Tensor"};
/// `self` itself where it is in that format already, else a copy that is.
/// [contiguous.C1] a definite format, not `preserve`.
inline constexpr TypedSchema kContiguous{
    "aten::contiguous(Tensor(a) self, *, MemoryFormat memory_format=0) -> Tensor(a)"};

/// The arguments that copies begin with: `self` or `a`.
inline constexpr Schema kCopied{"aten::{}(Tensor {}, {}) -> Tensor"};

}  // namespace ersatz::op_clone
