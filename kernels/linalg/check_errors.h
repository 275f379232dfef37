// What LAPACK reports of a factorisation, turned into an error.
#pragma once

#include <string_view>

#include "runtime/op/schema_literal.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::op_check_errors {

inline constexpr Schema kLinalgCheckErrors{
    "aten::_linalg_check_errors(Tensor info, str api_name, *, bool is_matrix) -> ()"};

}  // namespace ersatz::op_check_errors

namespace ersatz::ops {

/// Nothing, if `info` is 0 for each matrix.
/// [_linalg_check_errors.C1] an i32 tensor.
/// [_linalg_check_errors.C2] row-major.
/// Values: all are 0 (runtime error naming the first matrix that failed).
void _linalg_check_errors(const Tensor& info, std::string_view api_name, bool is_matrix);

}  // namespace ersatz::ops
