// What LAPACK reports of a factorisation, turned into an error.
#pragma once

#include <string_view>

#include "runtime/op/typed_schema.h"
#include "runtime/tensor/tensor.h"
#include "typed/linalg/check_errors.h"

namespace ersatz::op_check_errors {

/// Nothing, if `info` is 0 for each matrix.
/// [_linalg_check_errors.C1] an i32 tensor.
/// [_linalg_check_errors.C2] row-major.
/// Values: all are 0 (runtime error naming the first matrix that failed).
inline constexpr TypedSchema kLinalgCheckErrors{
    "aten::_linalg_check_errors(Tensor info, str api_name, *, bool is_matrix) -> ()"};

}  // namespace ersatz::op_check_errors
