// Ranks and pseudo-inverses of matrices.
//
// A singular value counts as zero if it is at most the larger of `atol` and `rtol` times the largest singular value. If
// `rtol` is None and atol is not positive, rtol is the dtype's epsilon times the larger of the two matrix sizes. If
// `hermitian` is true, magnitudes of eigenvalues replace singular values.
// Constraints, where `op` is the op's name:
//
// [op.C1]  self has at least 2 dims, and dtype f32, f64, c64 or c128. A rank accepts any dtype if both tolerances are
// given.
// [op.C2]  the tolerances are real.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/linalg/pseudo_inverse.h"

namespace ersatz::op_pseudo_inverse {

/// The number of singular values that do not count as zero. An empty matrix has rank 0.
inline constexpr Schema kRank{
    "aten::linalg_matrix_rank.atol_rtol_float(Tensor self, *, float? atol=None, float? rtol=None, bool "
    "hermitian=False) -> Tensor"};
inline constexpr TypedSchema kRankTensor{
    "aten::linalg_matrix_rank.atol_rtol_tensor(Tensor input, *, Tensor? atol=None, Tensor? rtol=None, bool "
    "hermitian=False) -> Tensor"};
/// The Moore-Penrose inverse.
inline constexpr Schema kPinv{
    "aten::linalg_pinv.atol_rtol_float(Tensor self, *, float? atol=None, float? rtol=None, bool hermitian=False) -> "
    "Tensor"};
inline constexpr TypedSchema kPinvTensor{
    "aten::linalg_pinv.atol_rtol_tensor(Tensor self, *, Tensor? atol=None, Tensor? rtol=None, bool hermitian=False) -> "
    "Tensor"};
/// The Moore-Penrose inverse with a relative tolerance only.
inline constexpr TypedSchema kPinverse{"aten::pinverse(Tensor self, float rcond=1.0000000000000001e-15) -> Tensor"};

}  // namespace ersatz::op_pseudo_inverse
