// where: selects each element from one of two operands by a condition.
//
// The result has the common dtype of the two operands.
//
// [where.C1]  The sizes of condition and operands broadcast.
// [where.C2]  The condition is bool (or u8, which old programs have).
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

/// Returns the common dtype of `self` and `other`, in which `run` computes.
DType common_dtype(const KernelCall& call);
/// Selects elements. The operands may have any dtypes.
Kernel run;

}  // namespace ersatz::op_where
