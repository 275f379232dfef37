// Solutions of equations with a triangular matrix, of which only one triangle is read. Solutions are column-major.
//
// [op.C1] The triangular matrices have two dims at least.
// [op.C2] They are square.
// [triangular_solve.C3] Both operands have one dtype.
// [op.C4] The right side has two dims at least.
// [op.C5] It has as many rows (columns, if not `left`) as the triangular matrix.
// [op.C6] The batches broadcast.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/linalg/triangular.h"

namespace ersatz::op_triangular {

/// The solution X of self X = B, or of X self = B if not `left`. B is converted to self's dtype. With `unitriangular`
/// the diagonal counts as ones.
inline constexpr TypedSchema kSolve{
    "aten::linalg_solve_triangular(Tensor self, Tensor B, *, bool upper, bool left=True, bool unitriangular=False) -> "
    "Tensor"};
/// The solution X of A X = self, or of A^T X = self with `transpose`, and a column-major copy of A.
inline constexpr TypedSchema kOldSolve{
    "aten::triangular_solve(Tensor self, Tensor A, bool upper=True, bool transpose=False, bool unitriangular=False) -> "
    "(Tensor solution, Tensor cloned_coefficient)"};

}  // namespace ersatz::op_triangular
