// The operator that raises if `info`, which LAPACK returned from a factorisation, is not 0.
#pragma once

#include <string_view>

#include "runtime/op/typed_schema.h"
#include "runtime/tensor/tensor.h"
#include "typed/linalg/check_errors.h"

namespace ersatz::op_check_errors {

/// Does nothing if all elements of `info` are 0.
/// [_linalg_check_errors.C1] `info` is an i32 tensor.
/// [_linalg_check_errors.C2] `info` is row-major.
/// Values: a nonzero element raises a runtime error that names the first matrix whose factorisation failed.
inline constexpr TypedSchema kLinalgCheckErrors{
    "aten::_linalg_check_errors(Tensor info, str api_name, *, bool is_matrix) -> ()"};

}  // namespace ersatz::op_check_errors
