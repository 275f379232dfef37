// The ops of the tables as C++ functions for users.
//
// Every op of unary_table.def is declared here as `name(self)`. Every op of binary_table.def is `name(self, other)`,
// with a tensor or a number on each side. The tables have the accepted dtypes and the result dtypes. Results have the
// strides that kernels/pointwise/iterator_layout.h computes. In the constraints, `op` is the op's name:
//
// [op.C1]   The sizes of the operands broadcast.
// [add.C2] [sub.C2] [rsub.C2]  `alpha` fits the common dtype. It is no float if the dtype is an integer, and not
//                              complex if the dtype is real. It is a bool only if the dtype is bool.
// [sub.C3]  No operand is bool.
#pragma once

#include "runtime/op/dispatch.h"
#include "runtime/op/schema_literal.h"

namespace ersatz::op_binary {

/// The schema pattern of all ops of two operands. The first operand is `self` (`x` for polynomials), at position 0. The
/// second is `other`, `exponent` or `values`; some ops multiply it by `alpha`.
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
