// Inverses and solutions from Cholesky factors: of A = L L^H, or U^H U with `upper`. Results are column-major.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/linalg/cholesky_solve.h"

namespace ersatz::op_cholesky_solve {

/// The inverse of A from its factor. Values: a zero on a factor's diagonal is a runtime error.
/// [cholesky_inverse.C1] at least 2 dims.
/// [cholesky_inverse.C2] square matrices.
inline constexpr TypedSchema kInverse{"aten::cholesky_inverse(Tensor self, bool upper=False) -> Tensor"};
/// The solution X of A X = self, where input2 is the Cholesky factor of A.
/// [cholesky_solve.C1] self and input2 have 2 dims at least.
/// [cholesky_solve.C2] input2 is square.
/// [cholesky_solve.C3] one dtype.
/// [cholesky_solve.C5] self's rows are the factor's order.
/// [cholesky_solve.C6] the batches broadcast.
inline constexpr TypedSchema kSolve{"aten::cholesky_solve(Tensor self, Tensor input2, bool upper=False) -> Tensor"};

}  // namespace ersatz::op_cholesky_solve
