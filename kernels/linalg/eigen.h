// Eigenvalues and eigenvectors of square matrices. Eigenvectors are the columns of a column-major matrix. LAPACK
// chooses the scale of eigenvectors, and their order if several have equal eigenvalues.
//
// Values: an iteration that does not converge raises a runtime error.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/linalg/eigen.h"

namespace ersatz::op_eigen {

/// Eigenvalues and eigenvectors of Hermitian matrices. Only the triangle that UPLO names is read. Eigenvalues are real
/// and ascending, eigenvectors are orthonormal. If `compute_v` is false, the second result is empty.
/// [_linalg_eigh.C1] A has at least 2 dims.
/// [_linalg_eigh.C2] A has square matrices.
/// [_linalg_eigh.C3] UPLO begins with U, L, u or l.
inline constexpr TypedSchema kEigh{
    "aten::_linalg_eigh(Tensor A, str UPLO=\"L\", bool compute_v=True) -> (Tensor eigenvalues, Tensor eigenvectors)"};
/// Eigenvalues and eigenvectors of any square matrices. Eigenvalues are complex and in no order. Eigenvectors have norm
/// 1.
/// [linalg_eig.C1] self has at least 2 dims.
/// [linalg_eig.C2] self has square matrices.
/// [linalg_eig.C3] self has floats or complex numbers.
inline constexpr TypedSchema kEig{"aten::linalg_eig(Tensor self) -> (Tensor eigenvalues, Tensor eigenvectors)"};
/// [linalg_eigvals.C1], [linalg_eigvals.C2] and [linalg_eigvals.C3] are the conditions of [linalg_eig.C1] to
/// [linalg_eig.C3].
inline constexpr TypedSchema kEigvals{"aten::linalg_eigvals(Tensor self) -> Tensor"};

}  // namespace ersatz::op_eigen
