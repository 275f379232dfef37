// Writes at indices along one dim: `scatter`, `scatter_add`, `index_add`.
#pragma once

#include "runtime/op/typed_schema.h"
#include "runtime/op/value.h"
#include "typed/indexing/scatter.h"

namespace ersatz::op_scatter {

/// A row-major copy of `self` with out[index[i][j]][j] = src[i][j] for dim 0, and so on. If several values have one
/// element, any of them may be kept.
/// [scatter.C1] an i64 or i32 index, unless it is empty.
/// [scatter.C2] equal ranks of self, index and src; 0-d counts as 1.
/// [scatter.C3] the index is not larger than self, except in `dim`, nor than src.
/// [scatter.C4] src of self's dtype.
/// [scatter.C5] a number that fits the dtype.
/// Values: each index is in [0, size) (runtime error).
/// The in-place form returns `self` itself.
/// [scatter_.C6] neither index nor src shares memory with self.
inline constexpr TypedSchema kScatterSrc{"aten::scatter.src(Tensor self, int dim, Tensor index, Tensor src) -> Tensor",
                                         kAndInplace};
inline constexpr TypedSchema kScatterValue{
    "aten::scatter.value(Tensor self, int dim, Tensor index, Scalar value) -> Tensor", kAndInplace};
/// `scatter` with the values added; on CUDA in any order unless in deterministic mode. It refuses what `scatter`
/// refuses.
inline constexpr TypedSchema kScatterAdd{"aten::scatter_add(Tensor self, int dim, Tensor index, Tensor src) -> Tensor",
                                         kAndInplace};
/// A row-major copy of `self`, with the slices of `source`, times alpha, added to the slices of `dim` that the index
/// names.
/// [index_add.C1] an index of at most one dim (index error), i32 or i64.
/// [index_add.C2] source of self's dtype.
/// [index_add.C3] as many indices as source has slices.
/// [index_add.C4] sizes of source and self agree except in `dim`.
/// [index_add.C5] alpha fits the dtype.
/// Values: each index is in [0, size) (index error).
/// The in-place form returns `self` itself.
/// [index_add_.C6] neither index nor source shares memory with self.
inline constexpr TypedSchema kIndexAdd{
    "aten::index_add(Tensor self, int dim, Tensor index, Tensor source, *, Scalar alpha=1) -> Tensor", kAndInplace};

/// The arguments that scattering operators, of elements and of slices, begin with; the last is `src`, `source` or
/// `value`.
inline constexpr Schema kScattered{"aten::{}(Tensor self, int dim, Tensor index, {} {}) -> Tensor"};
inline constexpr Schemas kEach{kScatterSrc, kScatterValue, kScatterAdd};

}  // namespace ersatz::op_scatter
