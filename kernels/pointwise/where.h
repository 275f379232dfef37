// where: elements of one of two operands, selected by a condition.
//
// The result has the common dtype of the two operands.
//
// [where.C1]  Sizes of condition and operands must broadcast.
// [where.C2]  The condition is bool (or u8, for old programs).
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

/// The common dtype of the two operands, without the condition; `run` computes in it.
DType common_dtype(const KernelCall& call);
/// Runs the select row on operands of any dtypes.
Kernel run;

}  // namespace ersatz::op_where
