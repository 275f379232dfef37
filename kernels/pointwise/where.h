// where: elements of one operand or the other, as a condition says.
//
// The result has the common dtype of the two operands.
//
// [where.C1]  Sizes of condition and operands must broadcast.
// [where.C2]  The condition is bool (or u8, as of old).
#pragma once

#include "runtime/op/dispatch.h"
#include "runtime/op/typed_schema.h"
#include "typed/pointwise/where.h"

namespace ersatz::op_where {

inline constexpr TypedSchema kWhereSelf{"aten::where.self(Tensor condition, Tensor self, Tensor other) -> Tensor"};
inline constexpr Schema kWhereScalarSelf{
    "aten::where.ScalarSelf(Tensor condition, Scalar self, Tensor other) -> Tensor"};
inline constexpr Schema kWhereScalarOther{
    "aten::where.ScalarOther(Tensor condition, Tensor self, Scalar other) -> Tensor"};
inline constexpr Schema kWhereScalar{"aten::where.Scalar(Tensor condition, Scalar self, Scalar other) -> Tensor"};

/// Of values and condition; what `run` computes in.
DType common_dtype(const KernelCall& call);
/// Of operands of any dtypes, by the row that selects.
Kernel run;

}  // namespace ersatz::op_where
