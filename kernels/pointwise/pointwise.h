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
// [gelu.C1] `approximate` is "none" or "tanh".
#pragma once

#include "runtime/op/dispatch.h"

namespace ersatz::ops {

#define UNARY(name, ...) Tensor name(const Tensor& self);
#define BINARY(name, ...)                               \
  Tensor name(const Tensor& self, const Tensor& other); \
  Tensor name(const Tensor& self, const Scalar& other);
#include "kernels/pointwise/all_rows.def"

Tensor add(const Tensor& self, const Tensor& other, const Scalar& alpha);
Tensor sub(const Tensor& self, const Tensor& other, const Scalar& alpha);
Tensor gelu(const Tensor& self, std::string_view approximate = "none");

}  // namespace ersatz::ops
