// Inverses and solutions from Cholesky factors of a matrix A: A = L L^H, or A = U^H U if `upper` is true. Results are
// column-major.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/linalg/cholesky_solve.h"

namespace ersatz::op_cholesky_solve {

/// The inverse of A, where `self` is the Cholesky factor of A. Values: a zero on the factor's diagonal raises a runtime
/// error.
/// [cholesky_inverse.C1] self has at least 2 dims.
/// [cholesky_inverse.C2] self has square matrices.
inline constexpr TypedSchema kInverse{"aten::cholesky_inverse(Tensor self, bool upper=False) -> Tensor"};
/// The solution X of A X = self, where input2 is the Cholesky factor of A.
/// [cholesky_solve.C1] self and input2 have at least 2 dims.
/// [cholesky_solve.C2] input2 is square.
/// [cholesky_solve.C3] self and input2 have one dtype.
/// [cholesky_solve.C5] self has as many rows as input2.
/// [cholesky_solve.C6] the batch dims of self and input2 broadcast.
inline constexpr TypedSchema kSolve{"aten::cholesky_solve(Tensor self, Tensor input2, bool upper=False) -> Tensor"};

}  // namespace ersatz::op_cholesky_solve
