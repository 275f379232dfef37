// LDL factorisation of indefinite matrices with Bunch-Kaufman pivots: A = L D L^T for symmetric A, L D L^H for
// Hermitian A. Only the lower triangle of A is read. Results are column-major.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/linalg/ldl.h"

namespace ersatz::op_ldl {

/// (LD, pivots, info) for each matrix of a batch. LD has the blocks of D on its diagonal and L below it. Pivots are
/// those of LAPACK's sytrf: from 1, with a pair of equal negative ones for a 2x2 block. info is 0 or the number of the
/// first block of D that is zero.
/// [linalg_ldl_factor_ex.C1] at least 2 dims.
/// [linalg_ldl_factor_ex.C2] square matrices.
/// f32, f64, or complex.
/// Values: with `check_errors`, a singular D is a runtime error.
inline constexpr TypedSchema kLdlFactorEx{
    "aten::linalg_ldl_factor_ex(Tensor self, *, bool hermitian=False, bool check_errors=False) -> (Tensor LD, Tensor "
    "pivots, Tensor info)"};
/// The solution X of A X = B, from the factors of A.
/// [linalg_ldl_solve.C1] LD has at least 2 dims.
/// [linalg_ldl_solve.C2] LD is square.
/// [linalg_ldl_solve.C3] LD and B of one dtype, integer pivots.
/// [linalg_ldl_solve.C4] B has at least 2 dims (index error if it has none).
/// [linalg_ldl_solve.C5] B has as many rows as LD; pivots have one element for each row of LD.
/// [linalg_ldl_solve.C6] the batches broadcast.
/// Values: pivots that are no row numbers of LD are a runtime error.
inline constexpr TypedSchema kLdlSolve{
    "aten::linalg_ldl_solve(Tensor LD, Tensor pivots, Tensor B, *, bool hermitian=False) -> Tensor"};

}  // namespace ersatz::op_ldl
