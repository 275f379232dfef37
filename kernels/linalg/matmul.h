// matmul, linear: products of tensors of any rank, written in terms of mm, bmm, mv, dot and addmm.
//
// Constraints
// [matmul.C1] both operands have at least one dim.
// [matmul.C2] the batch dims, all but the last two, broadcast.
// [linear.C1] input and weight have at least one dim.
// Sizes and dtypes that the inner product refuses have its labels.
//
// Layout: an operand whose leading dims can be flattened without a copy is folded into one matrix. Else the batches are
// expanded for bmm. The result is row-major in both cases.
#pragma once

#include "runtime/op/composite.h"
#include "runtime/op/typed_schema.h"
#include "typed/linalg/matmul.h"

namespace ersatz::op_matmul {

inline constexpr TypedSchema kMatmul{"aten::matmul(Tensor self, Tensor other) -> Tensor"};
/// input @ weight^T + bias; `bias` may be undefined. If input is 2-d, or is contiguous and bias has one row, addmm adds
/// the bias. Otherwise the bias is added to the product, to whose sizes it must broadcast.
inline constexpr TypedSchema kLinear{"aten::linear(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor"};

/// The decomposition of matmul in torch.export, which folds only an operand that is row-major.
void exported_matmul(CompositeCall& call);

}  // namespace ersatz::op_matmul
