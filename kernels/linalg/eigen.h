// Eigenvalues and eigenvectors of square matrices. Eigenvectors are the columns of a column-major matrix. LAPACK
// chooses their scale, and the order of vectors with one eigenvalue.
//
// Values: an iteration that does not converge is a runtime error.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/linalg/eigen.h"

namespace ersatz::op_eigen {

/// Hermitian matrices, of which only the triangle UPLO is read. Eigenvalues are real and ascending, eigenvectors
/// orthonormal. Without `compute_v` the second result is empty.
/// [_linalg_eigh.C1] at least 2 dims.
/// [_linalg_eigh.C2] square matrices.
/// [_linalg_eigh.C3] UPLO begins with U, L, u or l.
inline constexpr TypedSchema kEigh{
    "aten::_linalg_eigh(Tensor A, str UPLO=\"L\", bool compute_v=True) -> (Tensor eigenvalues, Tensor eigenvectors)"};
/// Eigenvalues, complex and in no order, and eigenvectors, of norm 1, of any square matrices.
/// [linalg_eig.C1] at least 2 dims.
/// [linalg_eig.C2] square matrices.
/// [linalg_eig.C3] floats or complex numbers.
inline constexpr TypedSchema kEig{"aten::linalg_eig(Tensor self) -> (Tensor eigenvalues, Tensor eigenvectors)"};
/// [linalg_eigvals.C1] [linalg_eigvals.C2] [linalg_eigvals.C3] as for linalg_eig.
inline constexpr TypedSchema kEigvals{"aten::linalg_eigvals(Tensor self) -> Tensor"};

}  // namespace ersatz::op_eigen
