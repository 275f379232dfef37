// The same geometry on the same memory: a new handle, `alias` and `detach`.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/alias.h"

namespace ersatz::op_alias {

inline constexpr TypedSchema kAlias{"aten::alias(Tensor(a) self) -> Tensor(a)"};
/// Without gradient history.
inline constexpr TypedSchema kDetach{"aten::detach(Tensor(a) self) -> Tensor(a)"};
/// `self` itself, without gradient history.
inline constexpr TypedSchema kDetachInplace{"aten::detach_(Tensor(a!) self) -> Tensor(a!)"};
/// As TorchScript spells `detach`.
inline constexpr TypedSchema kData{"aten::data(Tensor self) -> Tensor"};
/// `self` itself.
inline constexpr TypedSchema kLift{"aten::lift(Tensor self) -> Tensor"};
/// A literal tensor as it enters a program: `self` itself.
inline constexpr TypedSchema kLiftFresh{"aten::lift_fresh(Tensor(a) self) -> Tensor(a)"};

}  // namespace ersatz::op_alias
