// Residuals of factorisations, which crosscheck compares with a tolerance (runtime/op/library_choice.h). A residual is
// the larger of two errors: the distance of the factors' product from the matrix, and the distance of the columns from
// orthonormal ones. Residuals are computed in double precision, and the distance of the product is relative to the
// largest element.
#pragma once

#include "runtime/op/value.h"

namespace ersatz {

/// Residual of A V = V diag(w) and V^H V = I, where A is the Hermitian matrix in the triangle UPLO.
double hermitian_residual(std::span<const Value> args, std::span<const Value> results);
/// Residual of A V = V diag(w), and of the norms of V's columns, which have to be 1.
double eigen_residual(std::span<const Value> args, std::span<const Value> results);
/// Residual of U diag(S) Vh = A, U^H U = I and Vh Vh^H = I.
double svd_residual(std::span<const Value> args, std::span<const Value> results);
/// The residual that svd_residual returns, for the operator `svd`, which returns V instead of Vh.
double old_svd_residual(std::span<const Value> args, std::span<const Value> results);
/// Residual of Q R = A, of Q^H Q = I, and of the zeros below R's diagonal. Mode "r" returns no Q: its residual compares
/// R^H R with A^H A.
double qr_residual(std::span<const Value> args, std::span<const Value> results);

}  // namespace ersatz
