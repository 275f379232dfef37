// Equations with a triangular matrix, of which only the named triangle is read. Solutions are column-major.
//
// [op.C1] The triangular matrices have two dims at least.
// [op.C2] They are square.
// [triangular_solve.C3] Both operands have one dtype.
// [op.C4] The right side has two dims at least.
// [op.C5] Its rows (columns, where not `left`) are the triangle's order.
// [op.C6] The batches broadcast.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/linalg/triangular.h"

namespace ersatz::op_triangular {

/// X of self X = B, or of X self = B where not `left`. B is converted to self's dtype. With
/// `unitriangular` the diagonal counts as ones.
inline constexpr TypedSchema kSolve{
    "aten::linalg_solve_triangular(Tensor self, Tensor B, *, bool upper, bool left=True, bool unitriangular=False) -> "
    "Tensor"};
/// X of A X = self, or of A^T X = self with `transpose`; and a copy of A, column-major too.
inline constexpr TypedSchema kOldSolve{
    "aten::triangular_solve(Tensor self, Tensor A, bool upper=True, bool transpose=False, bool unitriangular=False) -> "
    "(Tensor solution, Tensor cloned_coefficient)"};

}  // namespace ersatz::op_triangular
