// LU factorisation of matrices, P A = L U, with determinants, solutions and inverses.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/linalg/lu.h"

namespace ersatz::op_lu {

/// (LU, pivots, info) for each matrix of a batch. LU has both factors in one column-major matrix. Pivots are LAPACK's
/// row exchanges, counted from 1. info is 0 or the number of the first zero on U's diagonal.
/// [linalg_lu_factor_ex.C1] at least 2 dims.
/// [linalg_lu_factor_ex.C2] on the CPU `pivot` is true, unless A is empty.
/// f32, f64, or complex.
/// Values: with `check_errors`, a singular U is a runtime error.
inline constexpr TypedSchema kLuFactorEx{
    "aten::linalg_lu_factor_ex(Tensor A, *, bool pivot=True, bool check_errors=False) -> (Tensor LU, Tensor pivots, "
    "Tensor info)"};
/// Determinants and the factors. A row-major real matrix is factored as its transpose.
/// [_linalg_det.C1] at least 2 dims.
/// [_linalg_det.C2] square matrices.
inline constexpr TypedSchema kDet{"aten::_linalg_det(Tensor A) -> (Tensor result, Tensor LU, Tensor pivots)"};
/// The sign and the logarithm of the absolute value of each determinant.
/// [_linalg_slogdet.C1] at least 2 dims.
/// [_linalg_slogdet.C2] square matrices.
inline constexpr TypedSchema kSlogdet{
    "aten::_linalg_slogdet(Tensor A) -> (Tensor sign, Tensor logabsdet, Tensor LU, Tensor pivots)"};
/// The solution X of A X = B, or of X A = B if not `left`. B is a batch of vectors if it is 1-d or has A's sizes
/// without the last.
/// [_linalg_solve_ex.C1] A has at least 2 dims.
/// [_linalg_solve_ex.C2] A is square.
/// [_linalg_solve_ex.C3] A and B of one dtype.
/// [_linalg_solve_ex.C4] B has at least 2 dims, or is a batch of vectors.
/// [_linalg_solve_ex.C5] B has as many rows (columns, if not `left`) as A.
/// [_linalg_solve_ex.C6] the batches broadcast.
/// [_linalg_solve_ex.C7] a B that is a batch of vectors requires `left`.
/// Values: with `check_errors`, a singular A is a runtime error.
inline constexpr TypedSchema kSolveEx{
    "aten::_linalg_solve_ex(Tensor A, Tensor B, *, bool left=True, bool check_errors=False) -> (Tensor result, Tensor "
    "LU, Tensor pivots, Tensor info)"};
/// The solution X of A X = B, or of X A = B if not `left`, from the factors of A; with `adjoint` A^H replaces A.
/// Column-major if `left`.
/// [linalg_lu_solve.C1] LU has at least 2 dims.
/// [linalg_lu_solve.C2] LU is square.
/// [linalg_lu_solve.C3] LU and B of one dtype, i32 pivots.
/// [linalg_lu_solve.C4] B has at least 2 dims.
/// [linalg_lu_solve.C5] B has as many rows (columns, if not `left`) as LU; pivots have one element for each row of LU.
/// [linalg_lu_solve.C6] the batches broadcast.
inline constexpr TypedSchema kLuSolve{
    "aten::linalg_lu_solve(Tensor LU, Tensor pivots, Tensor B, *, bool left=True, bool adjoint=False) -> Tensor"};
/// Column-major inverses, and the `info` of `linalg_lu_factor_ex`.
/// [linalg_inv_ex.C1] at least 2 dims.
/// [linalg_inv_ex.C2] square matrices.
/// Values: with `check_errors`, a singular matrix is a runtime error.
inline constexpr TypedSchema kInvEx{
    "aten::linalg_inv_ex(Tensor A, *, bool check_errors=False) -> (Tensor inverse, Tensor info)"};

}  // namespace ersatz::op_lu
