// Singular value decomposition: A = U diag(S) Vh, with S in descending order. LAPACK chooses the phases of vectors, and
// the order of vectors with equal singular values. Values: an iteration that does not converge raises a runtime error.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/linalg/svd.h"

namespace ersatz::op_svd {

/// U is [..., m, k] and Vh is [..., k, n], where k is the smaller of m and n. If `full_matrices` is true, they are
/// [..., m, m] and [..., n, n]. If `compute_uv` is false, both are empty. Both are column-major; on CUDA Vh is
/// row-major.
/// [_linalg_svd.C1] A has at least 2 dims.
/// [_linalg_svd.C2] driver is None on the CPU.
inline constexpr TypedSchema kSvd{
    "aten::_linalg_svd(Tensor A, bool full_matrices=False, bool compute_uv=True, *, str? driver=None) -> (Tensor U, "
    "Tensor S, Tensor Vh)"};
/// The older operator returns V instead of Vh, and full matrices if `some` is false. If `compute_uv` is false, U and V
/// are zeros.
/// [svd.C1] self has at least 2 dims.
inline constexpr TypedSchema kOldSvd{
    "aten::svd(Tensor self, bool some=True, bool compute_uv=True) -> (Tensor U, Tensor S, Tensor V)"};

}  // namespace ersatz::op_svd
