// Solutions of equations with a triangular matrix. Only one triangle of the matrix is read. Solutions are column-major.
//
// [op.C1] the triangular matrices have at least two dims.
// [op.C2] the triangular matrices are square.
// [triangular_solve.C3] self and A have one dtype.
// [op.C4] the right side has at least two dims.
// [op.C5] the right side has as many rows as the triangular matrix (as many columns if `left` is false).
// [op.C6] the batch dims of the triangular matrix and the right side broadcast.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/linalg/triangular.h"

namespace ersatz::op_triangular {

/// The solution X of self X = B, or of X self = B if `left` is false. B is converted to self's dtype. If
/// `unitriangular` is true, the diagonal of self is not read and counts as ones.
inline constexpr TypedSchema kSolve{
    "aten::linalg_solve_triangular(Tensor self, Tensor B, *, bool upper, bool left=True, bool unitriangular=False) -> "
    "Tensor"};
/// The solution X of A X = self, or of A^T X = self if `transpose` is true, and a column-major copy of A.
inline constexpr TypedSchema kOldSolve{
    "aten::triangular_solve(Tensor self, Tensor A, bool upper=True, bool transpose=False, bool unitriangular=False) -> "
    "(Tensor solution, Tensor cloned_coefficient)"};

}  // namespace ersatz::op_triangular
