// `as_strided`: a view with any sizes, strides and offset on a tensor's storage.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/as_strided.h"

namespace ersatz::op_as_strided {

/// Returns a view of self's storage. `storage_offset` counts from the begin of the storage; None means self's offset.
/// [as_strided.C1] size and stride have equal lengths.
/// [as_strided.C2] no size, no stride and no offset is negative.
/// [as_strided.C3] the last element is within the storage (checked if no number is symbolic).
inline constexpr TypedSchema kAsStrided{
    "aten::as_strided(Tensor(a) self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> Tensor(a)"};
/// Gives `self` the given sizes, strides and offset in place.
inline constexpr TypedSchema kAsStridedInplace{
    "aten::as_strided_(Tensor(a!) self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> Tensor(a!)"};
/// Returns a view on the storage of `self` with the sizes, strides and offset of `src`, which was a slice of it.
/// Ignores dim, start, end and step.
/// [slice_inverse.C3] the last element is within the storage of `self`.
inline constexpr Schema kSliceInverse{
    "aten::slice_inverse(Tensor(a) self, Tensor src, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1) "
    "-> Tensor(a)"};

}  // namespace ersatz::op_as_strided
