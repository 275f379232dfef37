// The Cholesky factor of Hermitian positive-definite matrices: A = L L^H, or U^H U.
#pragma once

#include <utility>

#include "runtime/op/typed_schema.h"
#include "typed/linalg/cholesky.h"

namespace ersatz::op_cholesky {

/// Returns (factor, info) for each matrix of a batch. `info`, i32, is 0 or the order of the first leading minor that is
/// not positive. The factor is computed from one triangle of `self` only, the one that `upper` names. The factor is
/// column-major.
/// [linalg_cholesky_ex.C1] self has at least 2 dims.
/// [linalg_cholesky_ex.C2] self has square matrices.
/// The dtype of self is f32, f64, or complex.
/// Values: if `check_errors` is true, a matrix that is not positive definite raises a runtime error.
inline constexpr TypedSchema kLinalgCholeskyEx{
    "aten::linalg_cholesky_ex(Tensor self, *, bool upper=False, bool check_errors=False) -> (Tensor L, Tensor info)"};

}  // namespace ersatz::op_cholesky
