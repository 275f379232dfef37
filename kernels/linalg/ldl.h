// Symmetric factors of indefinite matrices, A = L D L^T, or L D L^H of Hermitian ones, by Bunch and Kaufman's pivots.
// Only the lower triangle of A is read. Results are column-major.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/linalg/ldl.h"

namespace ersatz::op_ldl {

/// (LD, pivots, info) of each matrix of a batch: D's blocks on the diagonal of LD and L below it, the pivots as LAPACK
/// counts them (sytrf: from 1, a pair of equal negative ones for a block of two), and 0 or the number of the first
/// block of D that is zero.
/// [linalg_ldl_factor_ex.C1] at least 2 dims.
/// [linalg_ldl_factor_ex.C2] square matrices.
/// f32, f64, or complex.
/// Values: with `check_errors`, no D is singular (runtime error).
inline constexpr TypedSchema kLdlFactorEx{
    "aten::linalg_ldl_factor_ex(Tensor self, *, bool hermitian=False, bool check_errors=False) -> (Tensor LD, Tensor "
    "pivots, Tensor info)"};
/// X of A X = B from A's factors.
/// [linalg_ldl_solve.C1] LD has at least 2 dims.
/// [linalg_ldl_solve.C2] LD is square.
/// [linalg_ldl_solve.C3] LD and B of one dtype, integer pivots.
/// [linalg_ldl_solve.C4] B has at least 2 dims (without: an index error).
/// [linalg_ldl_solve.C5] B's rows are LD's order; pivots have one element a row of LD.
/// [linalg_ldl_solve.C6] the batches broadcast.
/// Values: pivots name rows of LD (runtime error).
inline constexpr TypedSchema kLdlSolve{
    "aten::linalg_ldl_solve(Tensor LD, Tensor pivots, Tensor B, *, bool hermitian=False) -> Tensor"};

}  // namespace ersatz::op_ldl
