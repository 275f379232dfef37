// result_type, promote_types and can_cast: the common dtype of operands, and whether one dtype can be cast to another.
#pragma once

#include "runtime/op/schema_literal.h"

namespace ersatz::op_result_type {

/// Returns the common dtype of two operands. Tensors with dims have priority over 0-d tensors, and 0-d tensors have
/// priority over numbers. For complex halves, PyTorch's number of the dtype is returned: 8 for parts of f16, 46 for
/// parts of bf16.
inline constexpr Schema kResultType{"aten::result_type.{}({}, {}) -> ScalarType"};
/// Returns the smallest dtype to which both dtypes are promoted.
inline constexpr Schema kPromoteTypes{"aten::promote_types(ScalarType type1, ScalarType type2) -> ScalarType"};
/// Returns whether a result of dtype `from_` can be written to a tensor of dtype `to`.
inline constexpr Schema kCanCast{"aten::can_cast(ScalarType from_, ScalarType to) -> bool"};

}  // namespace ersatz::op_result_type
