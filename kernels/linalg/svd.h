// Singular values and vectors: A = U diag(S) Vh, S in descending order. The phases of vectors, and those that share a
// value, are LAPACK's choice. Values: the iteration converges (runtime error).
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/linalg/svd.h"

namespace ersatz::op_svd {

/// U [..., m, k] and Vh [..., k, n] with k the smaller of m and n; whole, [..., m, m] and [..., n, n], with
/// `full_matrices`; empty tensors where not `compute_uv`. Both are column-major; Vh is row-major on CUDA.
/// [_linalg_svd.C1] at least 2 dims.
/// [_linalg_svd.C2] no driver on the CPU.
inline constexpr TypedSchema kSvd{
    "aten::_linalg_svd(Tensor A, bool full_matrices=False, bool compute_uv=True, *, str? driver=None) -> (Tensor U, "
    "Tensor S, Tensor Vh)"};
/// The older name: V in place of its adjoint, whole where not `some`; without `compute_uv` U and V are zeros.
/// [svd.C1] at least 2 dims.
inline constexpr TypedSchema kOldSvd{
    "aten::svd(Tensor self, bool some=True, bool compute_uv=True) -> (Tensor U, Tensor S, Tensor V)"};

}  // namespace ersatz::op_svd
