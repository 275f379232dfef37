// New tensors with the sizes, strides and memory of another: `alias`, `detach` and their kin.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/alias.h"

namespace ersatz::op_alias {

inline constexpr TypedSchema kAlias{"aten::alias(Tensor(a) self) -> Tensor(a)"};
/// A tensor without autograd history.
inline constexpr TypedSchema kDetach{"aten::detach(Tensor(a) self) -> Tensor(a)"};
/// Returns `self`, without autograd history.
inline constexpr TypedSchema kDetachInplace{"aten::detach_(Tensor(a!) self) -> Tensor(a!)"};
/// TorchScript's name for `detach`.
inline constexpr TypedSchema kData{"aten::data(Tensor self) -> Tensor"};
/// Returns `self`.
inline constexpr TypedSchema kLift{"aten::lift(Tensor self) -> Tensor"};
/// Returns `self`, for a tensor literal that enters a program.
inline constexpr TypedSchema kLiftFresh{"aten::lift_fresh(Tensor(a) self) -> Tensor(a)"};

}  // namespace ersatz::op_alias
