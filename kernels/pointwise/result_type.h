// Questions about dtypes: what operands are computed in, and what may be written to what.
#pragma once

#include "runtime/op/schema_literal.h"

namespace ersatz::op_result_type {

/// The dtype of a result of two operands: tensors with dims decide before 0-d ones, and these before numbers. Complex
/// halves, which no tensor here has, are answered by their numbers: 8, that of f16, and 46, that of bf16.
inline constexpr Schema kResultType{"aten::result_type.{}({}, {}) -> ScalarType"};
/// The smallest dtype that both fit in.
inline constexpr Schema kPromoteTypes{"aten::promote_types(ScalarType type1, ScalarType type2) -> ScalarType"};
/// May a result of the one dtype be written to a tensor of the other?
inline constexpr Schema kCanCast{"aten::can_cast(ScalarType from_, ScalarType to) -> bool"};

}  // namespace ersatz::op_result_type
