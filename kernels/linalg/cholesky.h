// The Cholesky factor of Hermitian positive-definite matrices: A = L L^H, or U^H U.
#pragma once

#include <utility>

#include "runtime/op/typed_schema.h"
#include "typed/linalg/cholesky.h"

namespace ersatz::op_cholesky {

/// (factor, info) for each matrix of a batch. `info`, i32, is 0 or the order of the first leading minor that is not
/// positive. Only the triangle that `upper` names is read. The factor is column-major.
/// [linalg_cholesky_ex.C1] at least 2 dims.
/// [linalg_cholesky_ex.C2] square matrices.
/// f32, f64, or complex.
/// Values: with `check_errors`, every matrix is positive definite (runtime error).
inline constexpr TypedSchema kLinalgCholeskyEx{
    "aten::linalg_cholesky_ex(Tensor self, *, bool upper=False, bool check_errors=False) -> (Tensor L, Tensor info)"};

}  // namespace ersatz::op_cholesky
