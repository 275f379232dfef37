// matmul, linear: products of tensors of any rank, written in terms of mm, bmm, mv, dot and addmm.
//
// Constraints
// [matmul.C1] both operands have at least one dim.
// [matmul.C2] the batch dims, all but the last two, broadcast.
// [linear.C1] input and weight have at least one dim.
// What the inner product refuses (sizes, dtypes) carries its own label.
//
// Layout: a large operand whose leading dims are one run of memory is folded into one matrix; else batches are expanded
// for bmm. Either way the result is row-major.
#pragma once

#include "runtime/op/schema_literal.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::op_matmul {

inline constexpr Schema kMatmul{"aten::matmul(Tensor self, Tensor other) -> Tensor"};
inline constexpr Schema kLinear{"aten::linear(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor"};

}  // namespace ersatz::op_matmul

namespace ersatz::ops {

Tensor matmul(const Tensor& self, const Tensor& other);
/// input @ weight^T + bias; `bias` may be undefined.
Tensor linear(const Tensor& input, const Tensor& weight, const Tensor& bias = Tensor());

}  // namespace ersatz::ops
