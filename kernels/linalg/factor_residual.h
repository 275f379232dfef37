// Residuals of factorisations, for crosscheck (runtime/op/library_choice.h): how far the factors' product is from the
// matrix, and their columns from orthonormal. Computed in double precision, relative to the largest element.
#pragma once

#include "runtime/op/value.h"

namespace ersatz {

/// A V = V diag(w) and V^H V = 1, where A is the Hermitian matrix in the triangle UPLO.
double hermitian_residual(std::span<const Value> args, std::span<const Value> results);
/// A V = V diag(w), and each column of V has norm 1.
double eigen_residual(std::span<const Value> args, std::span<const Value> results);
/// U diag(S) Vh = A, U^H U = 1, Vh Vh^H = 1.
double svd_residual(std::span<const Value> args, std::span<const Value> results);
/// svd_residual for `svd`, which returns V instead of Vh.
double old_svd_residual(std::span<const Value> args, std::span<const Value> results);
/// Q R = A, Q^H Q = 1, zeros below R's diagonal. For mode "r", which has no Q: R^H R = A^H A.
double qr_residual(std::span<const Value> args, std::span<const Value> results);

}  // namespace ersatz
