// Copies whose layout does not depend on the input being dense: `_lazy_clone` keeps the strides, `_reshape_copy` is
// row-major.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/plain_copy.h"

namespace ersatz::op_plain_copy {

/// A copy with the input's strides and offset. Elements that share memory share it in the copy, too.
inline constexpr TypedSchema kLazyClone{"aten::_lazy_clone(Tensor self) -> Tensor"};
/// `reshape` that always copies.
/// [_reshape_copy.C1] at most one size is -1, and none is below -1.
/// [_reshape_copy.C2] the product of the sizes is the input's number of elements.
inline constexpr TypedSchema kReshapeCopy{"aten::_reshape_copy(Tensor self, SymInt[] size) -> Tensor"};

}  // namespace ersatz::op_plain_copy
