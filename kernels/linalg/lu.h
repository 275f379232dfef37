// LU factors of matrices, P A = L U, and what follows from them: determinants, solutions, inverses.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/linalg/lu.h"

namespace ersatz::op_lu {

/// (LU, pivots, info) of each matrix of a batch: both factors in one column-major matrix, the rows exchanged, counted
/// from 1, and 0 or the number of the first zero on U's diagonal.
/// [linalg_lu_factor_ex.C1] at least 2 dims.
/// [linalg_lu_factor_ex.C2] with `pivot` on the CPU, where A is not empty.
/// f32, f64, or complex.
/// Values: with `check_errors`, no U is singular (runtime error).
inline constexpr TypedSchema kLuFactorEx{
    "aten::linalg_lu_factor_ex(Tensor A, *, bool pivot=True, bool check_errors=False) -> (Tensor LU, Tensor pivots, "
    "Tensor info)"};
/// Determinants, and the factors; a row-major real matrix is factored as its transpose.
/// [_linalg_det.C1] at least 2 dims.
/// [_linalg_det.C2] square matrices.
inline constexpr TypedSchema kDet{"aten::_linalg_det(Tensor A) -> (Tensor result, Tensor LU, Tensor pivots)"};
/// Determinants as sign and logarithm of the absolute value.
/// [_linalg_slogdet.C1] at least 2 dims.
/// [_linalg_slogdet.C2] square matrices.
inline constexpr TypedSchema kSlogdet{
    "aten::_linalg_slogdet(Tensor A) -> (Tensor sign, Tensor logabsdet, Tensor LU, Tensor pivots)"};
/// X of A X = B, or of X A = B where not `left`. B with one dim less than A, and A's rows, is a batch of vectors.
/// [_linalg_solve_ex.C1] A has at least 2 dims.
/// [_linalg_solve_ex.C2] A is square.
/// [_linalg_solve_ex.C3] A and B of one dtype.
/// [_linalg_solve_ex.C4] B has at least 2 dims, or is a batch of vectors.
/// [_linalg_solve_ex.C5] B's rows (columns, where not `left`) are A's order.
/// [_linalg_solve_ex.C6] the batches broadcast.
/// [_linalg_solve_ex.C7] vectors stand on the right: `left`.
/// Values: with `check_errors`, no A is singular (runtime error).
inline constexpr TypedSchema kSolveEx{
    "aten::_linalg_solve_ex(Tensor A, Tensor B, *, bool left=True, bool check_errors=False) -> (Tensor result, Tensor "
    "LU, Tensor pivots, Tensor info)"};
/// X of A X = B, or of X A = B where not `left`, from A's factors; of A^H with `adjoint`. Column-major where `left`.
/// [linalg_lu_solve.C1] LU has at least 2 dims.
/// [linalg_lu_solve.C2] LU is square.
/// [linalg_lu_solve.C3] LU and B of one dtype, i32 pivots.
/// [linalg_lu_solve.C4] B has at least 2 dims.
/// [linalg_lu_solve.C5] B's rows (columns, where not `left`) are LU's order; pivots have one element a row of LU.
/// [linalg_lu_solve.C6] the batches broadcast.
inline constexpr TypedSchema kLuSolve{
    "aten::linalg_lu_solve(Tensor LU, Tensor pivots, Tensor B, *, bool left=True, bool adjoint=False) -> Tensor"};
/// Inverses, column-major, and `info` as of `linalg_lu_factor_ex`.
/// [linalg_inv_ex.C1] at least 2 dims.
/// [linalg_inv_ex.C2] square matrices.
/// Values: with `check_errors`, no matrix is singular (runtime error).
inline constexpr TypedSchema kInvEx{
    "aten::linalg_inv_ex(Tensor A, *, bool check_errors=False) -> (Tensor inverse, Tensor info)"};

}  // namespace ersatz::op_lu
