// LU factorisation of matrices, P A = L U, with determinants, solutions and inverses.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/linalg/lu.h"

namespace ersatz::op_lu {

/// Returns (LU, pivots, info) for each matrix of a batch. LU has both factors in one column-major matrix. Pivots are
/// LAPACK's row exchanges, counted from 1. `info` is 0 or the number of the first zero on U's diagonal.
/// [linalg_lu_factor_ex.C1] A has at least 2 dims.
/// [linalg_lu_factor_ex.C2] `pivot` is true on the CPU, unless A is empty.
/// The dtype of A is f32, f64, or complex.
/// Values: if `check_errors` is true, a singular U raises a runtime error.
inline constexpr TypedSchema kLuFactorEx{
    "aten::linalg_lu_factor_ex(Tensor A, *, bool pivot=True, bool check_errors=False) -> (Tensor LU, Tensor pivots, "
    "Tensor info)"};
/// Returns the determinants and the factors of A. For a row-major real A, the factors are those of the transpose of A.
/// [_linalg_det.C1] A has at least 2 dims.
/// [_linalg_det.C2] A has square matrices.
inline constexpr TypedSchema kDet{"aten::_linalg_det(Tensor A) -> (Tensor result, Tensor LU, Tensor pivots)"};
/// Returns the sign and the logarithm of the absolute value of each determinant.
/// [_linalg_slogdet.C1] A has at least 2 dims.
/// [_linalg_slogdet.C2] A has square matrices.
inline constexpr TypedSchema kSlogdet{
    "aten::_linalg_slogdet(Tensor A) -> (Tensor sign, Tensor logabsdet, Tensor LU, Tensor pivots)"};
/// The solution X of A X = B, or of X A = B if `left` is false. B is a batch of vectors if B is 1-d or has the sizes of
/// A without the last.
/// [_linalg_solve_ex.C1] A has at least 2 dims.
/// [_linalg_solve_ex.C2] A is square.
/// [_linalg_solve_ex.C3] A and B have one dtype.
/// [_linalg_solve_ex.C4] B has at least 2 dims, or is a batch of vectors.
/// [_linalg_solve_ex.C5] B has as many rows as A (as many columns if `left` is false).
/// [_linalg_solve_ex.C6] the batch dims of A and B broadcast.
/// [_linalg_solve_ex.C7] `left` is true if B is a batch of vectors.
/// Values: if `check_errors` is true, a singular A raises a runtime error.
inline constexpr TypedSchema kSolveEx{
    "aten::_linalg_solve_ex(Tensor A, Tensor B, *, bool left=True, bool check_errors=False) -> (Tensor result, Tensor "
    "LU, Tensor pivots, Tensor info)"};
/// The solution X of A X = B, or of X A = B if `left` is false, where LU and pivots are the factors of A. If `adjoint`
/// is true, A^H replaces A. The result is column-major if `left` is true.
/// [linalg_lu_solve.C1] LU has at least 2 dims.
/// [linalg_lu_solve.C2] LU is square.
/// [linalg_lu_solve.C3] LU and B have one dtype, and pivots is i32.
/// [linalg_lu_solve.C4] B has at least 2 dims.
/// [linalg_lu_solve.C5] B has as many rows as LU (as many columns if `left` is false). Pivots have the sizes of LU
/// without the last.
/// [linalg_lu_solve.C6] the batch dims of LU and B broadcast.
inline constexpr TypedSchema kLuSolve{
    "aten::linalg_lu_solve(Tensor LU, Tensor pivots, Tensor B, *, bool left=True, bool adjoint=False) -> Tensor"};
/// Returns the inverses, which are column-major, and the `info` of `linalg_lu_factor_ex`.
/// [linalg_inv_ex.C1] A has at least 2 dims.
/// [linalg_inv_ex.C2] A has square matrices.
/// Values: if `check_errors` is true, a singular matrix raises a runtime error.
inline constexpr TypedSchema kInvEx{
    "aten::linalg_inv_ex(Tensor A, *, bool check_errors=False) -> (Tensor inverse, Tensor info)"};

}  // namespace ersatz::op_lu
