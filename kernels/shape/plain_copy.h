// Copies that are made whatever the input's layout is: with its very strides, or row-major of another shape.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/plain_copy.h"

namespace ersatz::op_plain_copy {

/// The same strides and offset: elements of one memory have one memory in the copy too.
inline constexpr TypedSchema kLazyClone{"aten::_lazy_clone(Tensor self) -> Tensor"};
/// `reshape` in memory of its own.
/// [_reshape_copy.C1] at most one size is -1, none is less.
/// [_reshape_copy.C2] the sizes hold as many elements as the input has.
inline constexpr TypedSchema kReshapeCopy{"aten::_reshape_copy(Tensor self, SymInt[] size) -> Tensor"};

}  // namespace ersatz::op_plain_copy
