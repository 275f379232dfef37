// `squeeze` removes dims of size 1, `unsqueeze` inserts one; each also exists as an in-place op.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/squeeze.h"

namespace ersatz::op_squeeze {

/// Removes every dim of size 1.
inline constexpr TypedSchema kSqueeze{"aten::squeeze(Tensor(a) self) -> Tensor(a)"};
/// Removes `dim` if its size is 1. Raises IndexError for a dim outside [-rank, rank).
inline constexpr TypedSchema kSqueezeDim{"aten::squeeze.dim(Tensor(a) self, int dim) -> Tensor(a)"};
/// Removes the dims in `dims` whose size is 1.
/// [squeeze.C1] no dim is repeated.
inline constexpr TypedSchema kSqueezeDims{"aten::squeeze.dims(Tensor(a) self, int[] dim) -> Tensor(a)"};
/// Inserts a dim of size 1 before `dim`. Raises IndexError for a dim outside [-rank-1, rank+1).
inline constexpr TypedSchema kUnsqueeze{"aten::unsqueeze(Tensor(a) self, int dim) -> Tensor(a)"};
/// The in-place ops give `self` new sizes and strides.
inline constexpr TypedSchema kSqueezeInplace{"aten::squeeze_(Tensor(a!) self) -> Tensor(a!)"};
inline constexpr TypedSchema kSqueezeInplaceDim{"aten::squeeze_.dim(Tensor(a!) self, int dim) -> Tensor(a!)"};
inline constexpr TypedSchema kSqueezeInplaceDims{"aten::squeeze_.dims(Tensor(a!) self, int[] dim) -> Tensor(a!)"};
inline constexpr TypedSchema kUnsqueezeInplace{"aten::unsqueeze_(Tensor(a!) self, int dim) -> Tensor(a!)"};
inline constexpr Schemas kEach{kSqueeze,        kSqueezeDim,        kSqueezeDims,
                               kSqueezeInplace, kSqueezeInplaceDim, kSqueezeInplaceDims};

}  // namespace ersatz::op_squeeze
