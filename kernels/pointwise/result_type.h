// Queries of dtypes: the common dtype of operands, and which dtype may be written to which.
#pragma once

#include "runtime/op/schema_literal.h"

namespace ersatz::op_result_type {

/// Returns the result dtype of two operands: tensors with dims decide before 0-d tensors, and 0-d tensors before
/// numbers. Dtypes of complex halves are returned as PyTorch's numbers for them: 8 for that of f16, 46 for that of
/// bf16. No tensor here has these dtypes.
inline constexpr Schema kResultType{"aten::result_type.{}({}, {}) -> ScalarType"};
/// Returns the smallest dtype that both dtypes fit in.
inline constexpr Schema kPromoteTypes{"aten::promote_types(ScalarType type1, ScalarType type2) -> ScalarType"};
/// Returns whether a result of dtype `from_` may be written to a tensor of dtype `to`.
inline constexpr Schema kCanCast{"aten::can_cast(ScalarType from_, ScalarType to) -> bool"};

}  // namespace ersatz::op_result_type
