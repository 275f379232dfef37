// Operators whose result has the sizes, strides and memory of the input: `alias`, `detach`, `lift` and others.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/alias.h"

namespace ersatz::op_alias {

inline constexpr TypedSchema kAlias{"aten::alias(Tensor(a) self) -> Tensor(a)"};
/// Returns a view of `self` without autograd history.
inline constexpr TypedSchema kDetach{"aten::detach(Tensor(a) self) -> Tensor(a)"};
/// Removes the autograd history of `self` in place and returns `self`.
inline constexpr TypedSchema kDetachInplace{"aten::detach_(Tensor(a!) self) -> Tensor(a!)"};
/// The name that TorchScript has for `detach`.
inline constexpr TypedSchema kData{"aten::data(Tensor self) -> Tensor"};
/// Returns `self`.
inline constexpr TypedSchema kLift{"aten::lift(Tensor self) -> Tensor"};
/// Returns `self`. Traced programs call lift_fresh on a tensor literal.
inline constexpr TypedSchema kLiftFresh{"aten::lift_fresh(Tensor(a) self) -> Tensor(a)"};

}  // namespace ersatz::op_alias
