// Copies that choose their layout: `clone`, `contiguous`.
#pragma once

#include <optional>

#include "runtime/op/typed_schema.h"
#include "typed/shape/clone.h"

namespace ersatz::op_clone {

/// A copy. Without a format (or with `preserve`) it has the input's strides if the input is non-overlapping and dense,
/// else dense strides in the order of the input's.
/// [clone.C1] the format supports the rank of self.
inline constexpr TypedSchema kClone{"aten::clone(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor"};
/// A copy with any strides, which may leave gaps.
/// [copy_strided.C1] there is a stride for each dim.
/// [copy_strided.C2] no stride is negative.
/// [copy_strided.C3] no two elements of the copy share memory.
inline constexpr TypedSchema kCopyStrided{"prims::copy_strided(Tensor a, SymInt[] stride) -> Tensor"};
/// Returns `self` if it is in that format already, else a copy in that format.
/// [contiguous.C1] the format is not `preserve`.
inline constexpr TypedSchema kContiguous{
    "aten::contiguous(Tensor(a) self, *, MemoryFormat memory_format=0) -> Tensor(a)"};

/// The arguments that copies have first: `self` or `a`.
inline constexpr Schema kCopied{"aten::{}(Tensor {}, {}) -> Tensor"};

}  // namespace ersatz::op_clone
