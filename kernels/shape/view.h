// `view` and its kin: another shape on the same memory, or a refusal; never a copy.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/view.h"

namespace ersatz::op_view {

/// The same elements in row-major order as `size`; one dim may be -1.
/// [view.C1] at most one size is -1, none is less.
/// [view.C2] the sizes hold as many elements as the input has.
/// [view.C3] each new dim lies within dims of the input that are contiguous to each other.
inline constexpr TypedSchema kView{"aten::view(Tensor(a) self, SymInt[] size) -> Tensor(a)"};
inline constexpr Schema kUnsafeView{"aten::_unsafe_view(Tensor self, SymInt[] size) -> Tensor"};
/// `view` to the sizes of `other`.
inline constexpr TypedSchema kViewAs{"aten::view_as(Tensor(a) self, Tensor other) -> Tensor(a)"};

}  // namespace ersatz::op_view

namespace ersatz::ops {

/// `view` whose result is declared to alias nothing: the input is not used afterwards.
Tensor unsafe_view(const Tensor& self, std::span<const SymInt> size);

}  // namespace ersatz::ops
