// Singular value decomposition: A = U diag(S) Vh, S in descending order. LAPACK chooses the phases of vectors, and the
// order of vectors with one singular value. Values: an iteration that does not converge is a runtime error.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/linalg/svd.h"

namespace ersatz::op_svd {

/// U is [..., m, k] and Vh [..., k, n], where k is the smaller of m and n. With `full_matrices` they are [..., m, m]
/// and [..., n, n]. Without `compute_uv` both are empty. Both are column-major; on CUDA Vh is row-major.
/// [_linalg_svd.C1] at least 2 dims.
/// [_linalg_svd.C2] no driver on the CPU.
inline constexpr TypedSchema kSvd{
    "aten::_linalg_svd(Tensor A, bool full_matrices=False, bool compute_uv=True, *, str? driver=None) -> (Tensor U, "
    "Tensor S, Tensor Vh)"};
/// The older operator: it returns V instead of Vh, and full matrices if not `some`. Without `compute_uv` U and V are
/// zeros.
/// [svd.C1] at least 2 dims.
inline constexpr TypedSchema kOldSvd{
    "aten::svd(Tensor self, bool some=True, bool compute_uv=True) -> (Tensor U, Tensor S, Tensor V)"};

}  // namespace ersatz::op_svd
