// Elements written where indices along one dim say: `scatter`, `scatter_add`, `index_add`.
#pragma once

#include "runtime/op/typed_schema.h"
#include "runtime/op/value.h"
#include "typed/indexing/scatter.h"

namespace ersatz::op_scatter {

/// A row-major copy of `self` with out[index[i][j]][j] = src[i][j] for dim 0, and so on. Which of several values for
/// one element stays is not determined.
/// [scatter.C1] an i64 or i32 index, unless it is empty.
/// [scatter.C2] equal ranks of self, index and src; 0-d counts as 1.
/// [scatter.C3] the index is not larger than self, except in `dim`, nor than src.
/// [scatter.C4] src of self's dtype.
/// [scatter.C5] a number that fits the dtype.
/// Values: each index lies in [0, size) (runtime error).
/// In place `self` itself.
/// [scatter_.C6] neither index nor src shares memory with self.
inline constexpr TypedSchema kScatterSrc{"aten::scatter.src(Tensor self, int dim, Tensor index, Tensor src) -> Tensor",
                                         kAndInplace};
inline constexpr TypedSchema kScatterValue{
    "aten::scatter.value(Tensor self, int dim, Tensor index, Scalar value) -> Tensor", kAndInplace};
/// The same with the values added, on CUDA in no fixed order unless in deterministic mode. Refuses as `scatter` does.
inline constexpr TypedSchema kScatterAdd{"aten::scatter_add(Tensor self, int dim, Tensor index, Tensor src) -> Tensor",
                                         kAndInplace};
/// A row-major copy of `self` to whose slices of `dim` that the index names those of `source`, times alpha, are added.
/// [index_add.C1] an index of at most one dim (index error), i32 or i64.
/// [index_add.C2] source of self's dtype.
/// [index_add.C3] as many indices as source has slices.
/// [index_add.C4] sizes of source and self agree except in `dim`.
/// [index_add.C5] alpha fits the dtype.
/// Values: each index lies in [0, size) (index error).
/// In place `self` itself.
/// [index_add_.C6] neither index nor source shares memory with self.
inline constexpr TypedSchema kIndexAdd{
    "aten::index_add(Tensor self, int dim, Tensor index, Tensor source, *, Scalar alpha=1) -> Tensor", kAndInplace};

/// The arguments that scatters, of elements and of whole slices, begin with; the last is `src`, `source` or `value`.
inline constexpr Schema kScattered{"aten::{}(Tensor self, int dim, Tensor index, {} {}) -> Tensor"};
inline constexpr Schemas kEach{kScatterSrc, kScatterValue, kScatterAdd};

}  // namespace ersatz::op_scatter
