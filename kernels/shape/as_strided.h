// Any sizes, strides and offset on a tensor's storage.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/as_strided.h"

namespace ersatz::op_as_strided {

/// The offset is the storage's, not the input's; without one the input's offset stays.
/// [as_strided.C1] as many strides as sizes.
/// [as_strided.C2] nothing negative.
/// [as_strided.C3] the last element lies within the storage (checked where all of it is plain integers).
inline constexpr TypedSchema kAsStrided{
    "aten::as_strided(Tensor(a) self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> Tensor(a)"};
/// `self` itself with that geometry.
inline constexpr TypedSchema kAsStridedInplace{
    "aten::as_strided_(Tensor(a!) self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> Tensor(a!)"};
/// `self` with the geometry of `src`, of which it was a slice: the other arguments are not looked at.
/// [slice_inverse.C3] the last element lies within the storage.
inline constexpr Schema kSliceInverse{
    "aten::slice_inverse(Tensor(a) self, Tensor src, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1) "
    "-> Tensor(a)"};

}  // namespace ersatz::op_as_strided
