// matmul, linear: products of tensors of any rank, written in terms of mm, bmm, mv, dot and addmm.
//
// Constraints
// [matmul.C1] self and other have at least one dim.
// [matmul.C2] the batch dims of self and other broadcast. Batch dims are all dims except the last two.
// [linear.C1] input and weight have at least one dim.
// Other errors have the labels of the operators that matmul and linear call, for example [mm.C2] for unequal inner
// sizes.
//
// Layout: if the leading dims of an operand can be flattened without a copy, the operand is folded into one matrix.
// Otherwise both operands are expanded to the broadcast batch for bmm. The result is row-major in both cases.
#pragma once

#include "runtime/op/composite.h"
#include "runtime/op/typed_schema.h"
#include "typed/linalg/matmul.h"

namespace ersatz::op_matmul {

inline constexpr TypedSchema kMatmul{"aten::matmul(Tensor self, Tensor other) -> Tensor"};
/// input @ weight^T + bias; `bias` may be undefined. addmm adds the bias if input is 2-d, or if input is contiguous and
/// bias has one row. Otherwise the bias is added to the product, and must broadcast to the product's sizes.
inline constexpr TypedSchema kLinear{"aten::linear(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor"};

/// matmul as torch.export decomposes it: an operand is folded into one matrix only if it is row-major.
void exported_matmul(CompositeCall& call);

}  // namespace ersatz::op_matmul
