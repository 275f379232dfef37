// Views with any sizes, strides and offset on a tensor's storage.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/as_strided.h"

namespace ersatz::op_as_strided {

/// `storage_offset` counts from the storage's begin, not from the input's offset. The default is the input's offset.
/// [as_strided.C1] size and stride have equal lengths.
/// [as_strided.C2] no number is negative.
/// [as_strided.C3] the last element is within the storage (checked if no number is symbolic).
inline constexpr TypedSchema kAsStrided{
    "aten::as_strided(Tensor(a) self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> Tensor(a)"};
/// Changes `self` itself.
inline constexpr TypedSchema kAsStridedInplace{
    "aten::as_strided_(Tensor(a!) self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> Tensor(a!)"};
/// Returns `self` with the sizes, strides and offset of `src`, which was a slice of it. The other arguments are
/// ignored.
/// [slice_inverse.C3] the last element is within the storage.
inline constexpr Schema kSliceInverse{
    "aten::slice_inverse(Tensor(a) self, Tensor src, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1) "
    "-> Tensor(a)"};

}  // namespace ersatz::op_as_strided
