// Another shape, as a view where strides allow it, else as a copy.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/reshape.h"

namespace ersatz::op_reshape {

/// The same elements in row-major order as `shape`; one dim may be -1.
/// [reshape.C1] at most one size is -1, none is less.
/// [reshape.C2] the sizes hold as many elements as the input has.
inline constexpr TypedSchema kReshape{"aten::reshape(Tensor(a) self, SymInt[] shape) -> Tensor(a)"};
/// `reshape` to the sizes of `other`.
inline constexpr TypedSchema kReshapeAs{"aten::reshape_as(Tensor(a) self, Tensor other) -> Tensor(a)"};
/// Dims `start_dim` to `end_dim` as one; `self` itself if they are the same dim. A 0-d tensor becomes 1-d.
/// [flatten.C1] start_dim does not come after end_dim.
inline constexpr TypedSchema kFlattenUsingInts{
    "aten::flatten.using_ints(Tensor(a) self, int start_dim=0, int end_dim=-1) -> Tensor(a)"};
/// One dimension; `self` itself if it is contiguous and 1-d already.
inline constexpr TypedSchema kRavel{"aten::ravel(Tensor(a) self) -> Tensor(a)"};

}  // namespace ersatz::op_reshape
