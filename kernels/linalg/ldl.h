// LDL factorisation of indefinite matrices with Bunch-Kaufman pivots: A = L D L^T for symmetric A, L D L^H for
// Hermitian A. Only the lower triangle of A is read. Results are column-major.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/linalg/ldl.h"

namespace ersatz::op_ldl {

/// Returns (LD, pivots, info) for each matrix of a batch. LD has the blocks of D on its diagonal and L below the
/// diagonal. Pivots are those of LAPACK's sytrf: row numbers from 1, and two equal negative numbers for a 2x2 block of
/// D. `info` is 0 or the number of the first block of D that is zero.
/// [linalg_ldl_factor_ex.C1] self has at least 2 dims.
/// [linalg_ldl_factor_ex.C2] self has square matrices.
/// The dtype of self is f32, f64, or complex.
/// Values: if `check_errors` is true, a singular D raises a runtime error.
inline constexpr TypedSchema kLdlFactorEx{
    "aten::linalg_ldl_factor_ex(Tensor self, *, bool hermitian=False, bool check_errors=False) -> (Tensor LD, Tensor "
    "pivots, Tensor info)"};
/// The solution X of A X = B, where LD and pivots are the factors of A.
/// [linalg_ldl_solve.C1] LD has at least 2 dims.
/// [linalg_ldl_solve.C2] LD is square.
/// [linalg_ldl_solve.C3] LD and B have one dtype, and pivots has an integer dtype.
/// [linalg_ldl_solve.C4] B has at least 2 dims (index error).
/// [linalg_ldl_solve.C5] B has as many rows as LD, and pivots have the sizes of LD without the last.
/// [linalg_ldl_solve.C6] the batch dims of LD and B broadcast.
/// Values: a pivot that is no row number of LD raises a runtime error.
inline constexpr TypedSchema kLdlSolve{
    "aten::linalg_ldl_solve(Tensor LD, Tensor pivots, Tensor B, *, bool hermitian=False) -> Tensor"};

}  // namespace ersatz::op_ldl
