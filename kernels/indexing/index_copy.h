// `index_copy` replaces slices along a dim by slices of a source. `index_fill` sets slices to a number.
#pragma once

#include "runtime/op/typed_schema.h"
#include "runtime/op/value.h"
#include "typed/indexing/index_copy.h"

namespace ersatz::op_index_copy {

/// Returns a row-major copy of `self` with the slices that the index selects replaced by the slices of source.
/// [index_copy.C1] the index has at most one dim (else IndexError) and is i64.
/// [index_copy.C2] source has self's dtype.
/// [index_copy.C3] source has one slice for each index; a 0-d source counts as one slice. self and source have equal
/// ranks unless one of them is 0-d (else IndexError).
/// [index_copy.C4] source and self have equal sizes except in `dim`.
/// [index_copy.C7] `dim` has no size 0, unless the index is empty.
/// Values: each index is in [0, size) (else IndexError).
/// `index_copy_` returns `self`.
/// [index_copy_.C6] neither index nor source shares memory with self.
inline constexpr TypedSchema kIndexCopy{"aten::index_copy(Tensor self, int dim, Tensor index, Tensor source) -> Tensor",
                                        kAndInplace};
/// Returns a copy of `self`, with the strides of `clone(self)`, in which the selected slices are set to `value`.
/// Negative indices count from the end.
/// [index_fill.C1] the index is i64 (else IndexError) and has at most one dim.
/// [index_fill.C3] a number as `value` fits the dtype.
/// [index_fill.C4] a tensor as `value` is 0-d.
/// [index_fill.C5] `value` is not complex if self is real.
/// [index_fill_.C6] the index does not share memory with self.
/// [index_fill.C7] `dim` has no size 0, unless the index is empty.
/// Values: each index is in [-size, size) (else IndexError).
inline constexpr TypedSchema kIndexFillInt{
    "aten::index_fill.int_{0}(Tensor self, int dim, Tensor index, {0} value) -> Tensor", kAndInplace, "Scalar",
    "Tensor"};

}  // namespace ersatz::op_index_copy
