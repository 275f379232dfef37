// reshape, flatten, ravel: return a view with new sizes if the strides allow it, else a copy.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/reshape.h"

namespace ersatz::op_reshape {

/// Returns the elements in row-major order with sizes `shape`. One size may be -1: it is computed from the others.
/// [reshape.C1] at most one size is -1, and none is below -1.
/// [reshape.C2] the product of the sizes is the input's number of elements.
inline constexpr TypedSchema kReshape{"aten::reshape(Tensor(a) self, SymInt[] shape) -> Tensor(a)"};
/// Calls `reshape` with the sizes of `other`.
inline constexpr TypedSchema kReshapeAs{"aten::reshape_as(Tensor(a) self, Tensor other) -> Tensor(a)"};
/// Merges dims `start_dim` to `end_dim` into one. Returns `self` if both are the same dim. A 0-d tensor becomes 1-d.
/// [flatten.C1] start_dim is not after end_dim.
inline constexpr TypedSchema kFlattenUsingInts{
    "aten::flatten.using_ints(Tensor(a) self, int start_dim=0, int end_dim=-1) -> Tensor(a)"};
/// Merges all dims into one; returns `self` if it is contiguous and 1-d already.
inline constexpr TypedSchema kRavel{"aten::ravel(Tensor(a) self) -> Tensor(a)"};

}  // namespace ersatz::op_reshape
