// Copies with a chosen layout: `clone`, `copy_strided`, `contiguous`.
#pragma once

#include <optional>

#include "runtime/op/typed_schema.h"
#include "typed/shape/clone.h"

namespace ersatz::op_clone {

/// Returns a copy. Without a format, or with `preserve`, the copy of a non-overlapping and dense self has self's
/// strides. The copy of any other self has dense strides in the order of self's strides.
/// [clone.C1] the format supports the rank of self.
inline constexpr TypedSchema kClone{"aten::clone(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor"};
/// Returns a copy with the given strides, which may leave gaps in memory.
/// [copy_strided.C1] there is a stride for each dim.
/// [copy_strided.C2] no stride is negative.
/// [copy_strided.C3] no two elements of the copy share memory.
inline constexpr TypedSchema kCopyStrided{"prims::copy_strided(Tensor a, SymInt[] stride) -> Tensor"};
/// Returns `self` if its strides fit the format, else a copy in that format.
/// [contiguous.C1] the format is not `preserve`.
inline constexpr TypedSchema kContiguous{
    "aten::contiguous(Tensor(a) self, *, MemoryFormat memory_format=0) -> Tensor(a)"};

/// The schema pattern of both copying ops: the first argument is `self` or `a`.
inline constexpr Schema kCopied{"aten::{}(Tensor {}, {}) -> Tensor"};

}  // namespace ersatz::op_clone
