// `index_copy` replaces the slices of a dim that an index names by those of a source, `index_fill` by a number.
#pragma once

#include "runtime/op/typed_schema.h"
#include "runtime/op/value.h"
#include "typed/indexing/index_copy.h"

namespace ersatz::op_index_copy {

/// A row-major copy of `self`.
/// [index_copy.C1] an index of at most one dim (index error), i64.
/// [index_copy.C2] source of self's dtype.
/// [index_copy.C3] as many indices as source has slices, one for a 0-d source; equal ranks unless one is 0-d (index
///     errors).
/// [index_copy.C4] sizes of source and self agree except in `dim`.
/// [index_copy.C7] no index into a dim of size 0.
/// Values: each index is in [0, size) (index error).
/// The in-place form returns `self` itself.
/// [index_copy_.C6] neither index nor source shares memory with self.
inline constexpr TypedSchema kIndexCopy{"aten::index_copy(Tensor self, int dim, Tensor index, Tensor source) -> Tensor",
                                        kAndInplace};
/// A copy of `self` in the layout that `clone` gives it. Negative indices count from the end.
/// [index_fill.C1] an i64 index (index error) of at most one dim.
/// [index_fill.C3] a number that fits the dtype.
/// [index_fill.C4] a 0-d value.
/// [index_fill.C5] no complex value for a real tensor.
/// [index_fill_.C6] self and the index share no memory.
/// [index_fill.C7] no index into a dim of size 0.
/// Values: each index is in [-size, size) (index error).
inline constexpr TypedSchema kIndexFillInt{
    "aten::index_fill.int_{0}(Tensor self, int dim, Tensor index, {0} value) -> Tensor", kAndInplace, "Scalar",
    "Tensor"};

}  // namespace ersatz::op_index_copy
