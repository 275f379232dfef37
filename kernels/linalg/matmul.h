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

#include "runtime/op/composite.h"
#include "runtime/op/typed_schema.h"
#include "typed/linalg/matmul.h"

namespace ersatz::op_matmul {

inline constexpr TypedSchema kMatmul{"aten::matmul(Tensor self, Tensor other) -> Tensor"};
/// input @ weight^T + bias; `bias` may be undefined. One of several rows is added to the product, which must hold the
/// sum; a row goes to addmm with the product as a matrix where input is one, or can be viewed as one.
inline constexpr TypedSchema kLinear{"aten::linear(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor"};

/// The parts of matmul as PyTorch's export has them: only an operand that is row-major as a whole is folded.
void exported_matmul(CompositeCall& call);

}  // namespace ersatz::op_matmul
