// The same geometry on the same memory: a new handle, `alias` and `detach`.
#pragma once

#include "runtime/op/schema_literal.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::op_alias {

inline constexpr Schema kAlias{"aten::alias(Tensor(a) self) -> Tensor(a)"};
inline constexpr Schema kDetach{"aten::detach(Tensor(a) self) -> Tensor(a)"};
inline constexpr Schema kDetachInplace{"aten::detach_(Tensor(a!) self) -> Tensor(a!)"};
inline constexpr Schema kLiftFresh{"aten::lift_fresh(Tensor(a) self) -> Tensor(a)"};

}  // namespace ersatz::op_alias

namespace ersatz::ops {

Tensor alias(const Tensor& self);
/// Without gradient history.
Tensor detach(const Tensor& self);
/// `self` itself, without gradient history.
Tensor detach_(const Tensor& self);
/// A literal tensor as it enters a program: `self` itself.
Tensor lift_fresh(const Tensor& self);

}  // namespace ersatz::ops
