// `view` and its variants: they return views with new sizes on the same memory, and never copy.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/view.h"

namespace ersatz::op_view {

/// Returns a view of the elements in row-major order with sizes `size`. One size may be -1.
/// [view.C1] at most one size is -1, and none is below -1.
/// [view.C2] the product of the sizes is the input's number of elements.
/// [view.C3] the strides allow it: each new dim is within dims of self that are contiguous to each other.
inline constexpr TypedSchema kView{"aten::view(Tensor(a) self, SymInt[] size) -> Tensor(a)"};
inline constexpr Schema kUnsafeView{"aten::_unsafe_view(Tensor self, SymInt[] size) -> Tensor"};
/// Calls `view` with the sizes of `other`.
inline constexpr TypedSchema kViewAs{"aten::view_as(Tensor(a) self, Tensor other) -> Tensor(a)"};

}  // namespace ersatz::op_view

namespace ersatz::ops {

/// Returns `view(self, size)` by an op whose schema declares no alias. REQUIRES: the caller does not use self
/// afterwards.
Tensor unsafe_view(const Tensor& self, std::span<const SymInt> size);

}  // namespace ersatz::ops
