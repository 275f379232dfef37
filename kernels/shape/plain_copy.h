// Copies whose strides do not depend on whether the input is dense: `_lazy_clone` has the input's strides,
// `_reshape_copy` is row-major.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/plain_copy.h"

namespace ersatz::op_plain_copy {

/// Returns a copy with self's strides and offset. If elements of self share memory, they share memory in the copy too.
inline constexpr TypedSchema kLazyClone{"aten::_lazy_clone(Tensor self) -> Tensor"};
/// Works like `reshape`, but always copies.
/// [_reshape_copy.C1] at most one size is -1, and none is below -1.
/// [_reshape_copy.C2] the product of the sizes is the input's number of elements.
inline constexpr TypedSchema kReshapeCopy{"aten::_reshape_copy(Tensor self, SymInt[] size) -> Tensor"};

}  // namespace ersatz::op_plain_copy
