// How far factors are from what they have to satisfy, for crosscheck (runtime/op/library_choice.h): equations of their
// products with the matrix, and orthonormal columns. Computed in double precision, relative to the largest element.
#pragma once

#include "runtime/op/value.h"

namespace ersatz {

/// A V = V diag(w) and V^H V = 1, A being Hermitian by the triangle UPLO.
double hermitian_residual(std::span<const Value> args, std::span<const Value> results);
/// A V = V diag(w), columns of norm 1.
double eigen_residual(std::span<const Value> args, std::span<const Value> results);
/// U diag(S) Vh = A, U^H U = 1, Vh Vh^H = 1.
double svd_residual(std::span<const Value> args, std::span<const Value> results);
/// The same of V in place of Vh.
double old_svd_residual(std::span<const Value> args, std::span<const Value> results);
/// Q R = A, Q^H Q = 1, nothing below R's diagonal; of R alone R^H R = A^H A.
double qr_residual(std::span<const Value> args, std::span<const Value> results);

}  // namespace ersatz
