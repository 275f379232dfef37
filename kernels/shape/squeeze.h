// Dims of size 1 put in and taken out: `squeeze`, `unsqueeze`, each also in place.
#pragma once

#include "runtime/op/schema_literal.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::op_squeeze {

inline constexpr Schema kSqueeze{"aten::squeeze(Tensor(a) self) -> Tensor(a)"};
inline constexpr Schema kSqueezeDim{"aten::squeeze.dim(Tensor(a) self, int dim) -> Tensor(a)"};
inline constexpr Schema kSqueezeDims{"aten::squeeze.dims(Tensor(a) self, int[] dim) -> Tensor(a)"};
inline constexpr Schema kUnsqueeze{"aten::unsqueeze(Tensor(a) self, int dim) -> Tensor(a)"};
inline constexpr Schema kSqueezeInplace{"aten::squeeze_(Tensor(a!) self) -> Tensor(a!)"};
inline constexpr Schema kSqueezeInplaceDim{"aten::squeeze_.dim(Tensor(a!) self, int dim) -> Tensor(a!)"};
inline constexpr Schema kSqueezeInplaceDims{"aten::squeeze_.dims(Tensor(a!) self, int[] dim) -> Tensor(a!)"};
inline constexpr Schema kUnsqueezeInplace{"aten::unsqueeze_(Tensor(a!) self, int dim) -> Tensor(a!)"};
inline constexpr Schemas kEach{kSqueeze,        kSqueezeDim,        kSqueezeDims,
                               kSqueezeInplace, kSqueezeInplaceDim, kSqueezeInplaceDims};

}  // namespace ersatz::op_squeeze

namespace ersatz::ops {

/// Without every dim of size 1.
Tensor squeeze(const Tensor& self);
/// Without `dim` if its size is 1, else as it is. An index error for a dim outside [-rank, rank).
Tensor squeeze(const Tensor& self, int64_t dim);
/// Without those of `dims` whose size is 1.
/// [squeeze.C1] no dim twice.
Tensor squeeze(const Tensor& self, std::span<const SymInt> dims);
/// A dim of size 1 before `dim`, which lies in [-rank-1, rank+1), else an index error.
Tensor unsqueeze(const Tensor& self, int64_t dim);
/// `self` itself with new sizes and strides.
Tensor squeeze_(const Tensor& self);
Tensor squeeze_(const Tensor& self, int64_t dim);
Tensor squeeze_(const Tensor& self, std::span<const SymInt> dims);
Tensor unsqueeze_(const Tensor& self, int64_t dim);

}  // namespace ersatz::ops
