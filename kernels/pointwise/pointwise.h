// Elementwise ops as functions for users.
//
// Every op of unary_table.def is declared here as `name(self)`, and every op of binary_table.def as `name(self, other)`
// with a tensor or a number on each side. The two tables have the accepted dtypes and the result dtypes.
// kernels/pointwise/iterator_layout.h describes the layout of results. In the constraints, `op` is the op's name:
//
// [op.C1]   Sizes of the operands must broadcast.
// [add.C2] [sub.C2] [rsub.C2]  `alpha` fits the common dtype: no float for integers, no complex for reals, bool only
//                              for bool.
// [sub.C3]  Bool operands cannot be subtracted.
#pragma once

#include "runtime/op/dispatch.h"
#include "runtime/op/schema_literal.h"

namespace ersatz::op_binary {

/// The second operand is called `other`, `exponent` or `values`; some ops multiply it by `alpha`. The first operand, at
/// position 0, is `x` for polynomials and `self` for all others.
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
