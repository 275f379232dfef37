// Elementwise ops, as users call them.
//
// Every op of unary_table.def is here as `name(self)`, every op of binary_table.def as `name(self, other)` where each
// side is a tensor or a number; the two tables say which dtypes they take and what their results are. Results have the
// layout that kernels/pointwise/iterator_layout.h describes. Constraints, where `op` is the op's name:
//
// [op.C1]   Sizes of the operands must broadcast.
// [add.C2] [sub.C2] [rsub.C2]  `alpha` must fit the common dtype: no float for integers, no complex for reals, bool
//           only for bool.
// [sub.C3]  Bool operands cannot be subtracted.
#pragma once

#include "runtime/op/dispatch.h"
#include "runtime/op/schema_literal.h"

namespace ersatz::op_binary {

/// The second operand is called `other`, `exponent` or `values`; some have a factor of it. The first one, at position
/// 0, is `x` of polynomials and `self` of all others.
inline constexpr Schema kBinary{"aten::{}({} self, {} {}, Scalar alpha=1) -> Tensor"};

}  // namespace ersatz::op_binary

namespace ersatz::op_unary {

inline constexpr Schema kUnary{"aten::{}(Tensor {}) -> Tensor"};

}  // namespace ersatz::op_unary

namespace ersatz::ops {

#define UNARY(name, ...) Tensor name(const Tensor& self);
#define BINARY(name, ...)                               \
  Tensor name(const Tensor& self, const Tensor& other); \
  Tensor name(const Tensor& self, const Scalar& other);
#include "kernels/pointwise/all_rows.def"

Tensor add(const Tensor& self, const Tensor& other, const Scalar& alpha);
Tensor sub(const Tensor& self, const Tensor& other, const Scalar& alpha);

}  // namespace ersatz::ops
