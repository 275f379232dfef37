// Dims of size 1 put in and taken out: `squeeze`, `unsqueeze`, each also in place.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/squeeze.h"

namespace ersatz::op_squeeze {

/// Without every dim of size 1.
inline constexpr TypedSchema kSqueeze{"aten::squeeze(Tensor(a) self) -> Tensor(a)"};
/// Without `dim` if its size is 1, else as it is. An index error for a dim outside [-rank, rank).
inline constexpr TypedSchema kSqueezeDim{"aten::squeeze.dim(Tensor(a) self, int dim) -> Tensor(a)"};
/// Without those of `dims` whose size is 1.
/// [squeeze.C1] no dim twice.
inline constexpr TypedSchema kSqueezeDims{"aten::squeeze.dims(Tensor(a) self, int[] dim) -> Tensor(a)"};
/// A dim of size 1 before `dim`, which lies in [-rank-1, rank+1), else an index error.
inline constexpr TypedSchema kUnsqueeze{"aten::unsqueeze(Tensor(a) self, int dim) -> Tensor(a)"};
/// `self` itself with new sizes and strides.
inline constexpr TypedSchema kSqueezeInplace{"aten::squeeze_(Tensor(a!) self) -> Tensor(a!)"};
inline constexpr TypedSchema kSqueezeInplaceDim{"aten::squeeze_.dim(Tensor(a!) self, int dim) -> Tensor(a!)"};
inline constexpr TypedSchema kSqueezeInplaceDims{"aten::squeeze_.dims(Tensor(a!) self, int[] dim) -> Tensor(a!)"};
inline constexpr TypedSchema kUnsqueezeInplace{"aten::unsqueeze_(Tensor(a!) self, int dim) -> Tensor(a!)"};
inline constexpr Schemas kEach{kSqueeze,        kSqueezeDim,        kSqueezeDims,
                               kSqueezeInplace, kSqueezeInplaceDim, kSqueezeInplaceDims};

}  // namespace ersatz::op_squeeze
