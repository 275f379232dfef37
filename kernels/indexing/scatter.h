// Writes at indices along one dim: `scatter`, `scatter_add`, `index_add`.
#pragma once

#include "runtime/op/typed_schema.h"
#include "runtime/op/value.h"
#include "typed/indexing/scatter.h"

namespace ersatz::op_scatter {

/// Returns a row-major copy of `self` with out[index[i][j]][j] = src[i][j] for dim 0, and accordingly for other dims.
/// If an element is indexed several times, it keeps any one of the values.
/// [scatter.C1] the index is i64 or i32; an empty index may have any dtype.
/// [scatter.C2] self, index and src have equal ranks; 0-d counts as rank 1.
/// [scatter.C3] the index is not larger than src, and not larger than self in any dim except `dim`.
/// [scatter.C4] src has self's dtype.
/// [scatter.C5] a number as `value` fits the dtype.
/// Values: each index is in [0, size) (else RuntimeError).
/// `scatter_` returns `self`.
/// [scatter_.C6] neither index nor src shares memory with self.
inline constexpr TypedSchema kScatterSrc{"aten::scatter.src(Tensor self, int dim, Tensor index, Tensor src) -> Tensor",
                                         kAndInplace};
inline constexpr TypedSchema kScatterValue{
    "aten::scatter.value(Tensor self, int dim, Tensor index, Scalar value) -> Tensor", kAndInplace};
/// Like `scatter`, but adds the values of src. On CUDA they are added in any order, unless the mode is deterministic.
/// It has the constraints of `scatter`.
inline constexpr TypedSchema kScatterAdd{"aten::scatter_add(Tensor self, int dim, Tensor index, Tensor src) -> Tensor",
                                         kAndInplace};
/// Returns a row-major copy of `self`, with the slices of `source`, times alpha, added to the slices along `dim` that
/// the index selects.
/// [index_add.C1] the index has at most one dim (else IndexError) and is i32 or i64.
/// [index_add.C2] source has self's dtype.
/// [index_add.C3] source has one slice for each index.
/// [index_add.C4] source and self have equal sizes except in `dim`.
/// [index_add.C5] alpha fits the dtype.
/// Values: each index is in [0, size) (else IndexError).
/// `index_add_` returns `self`.
/// [index_add_.C6] neither index nor source shares memory with self.
inline constexpr TypedSchema kIndexAdd{
    "aten::index_add(Tensor self, int dim, Tensor index, Tensor source, *, Scalar alpha=1) -> Tensor", kAndInplace};

/// The first arguments of all scattering operators, for elements and for slices. The last of them is `src`, `source` or
/// `value`.
inline constexpr Schema kScattered{"aten::{}(Tensor self, int dim, Tensor index, {} {}) -> Tensor"};
inline constexpr Schemas kEach{kScatterSrc, kScatterValue, kScatterAdd};

}  // namespace ersatz::op_scatter
