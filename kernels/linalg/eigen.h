// Eigenvalues and eigenvectors of square matrices. Vectors are the columns of a column-major matrix; which multiple of
// a vector is given, and the order of vectors that share a value, are LAPACK's choice.
//
// Values: the iteration converges (runtime error).
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/linalg/eigen.h"

namespace ersatz::op_eigen {

/// Of Hermitian matrices, of which the triangle UPLO is read: real values in ascending order, orthonormal vectors, or
/// an empty tensor where not `compute_v`.
/// [_linalg_eigh.C1] at least 2 dims.
/// [_linalg_eigh.C2] square matrices.
/// [_linalg_eigh.C3] UPLO begins with U or L, or the small letter.
inline constexpr TypedSchema kEigh{
    "aten::_linalg_eigh(Tensor A, str UPLO=\"L\", bool compute_v=True) -> (Tensor eigenvalues, Tensor eigenvectors)"};
/// Of any square matrices: complex values in no order, vectors of norm 1.
/// [linalg_eig.C1] at least 2 dims.
/// [linalg_eig.C2] square matrices.
/// [linalg_eig.C3] floats or complex numbers.
inline constexpr TypedSchema kEig{"aten::linalg_eig(Tensor self) -> (Tensor eigenvalues, Tensor eigenvectors)"};
/// [linalg_eigvals.C1] [linalg_eigvals.C2] [linalg_eigvals.C3] as of linalg_eig.
inline constexpr TypedSchema kEigvals{"aten::linalg_eigvals(Tensor self) -> Tensor"};

}  // namespace ersatz::op_eigen
