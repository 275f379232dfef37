// Ranks and pseudo-inverses of matrices.
//
// A singular value counts as zero up to the larger of `atol` and `rtol` times the largest one. If `rtol` is None and
// atol is not positive, rtol is the rounding unit times the larger of both sizes. With `hermitian` the magnitudes of
// eigenvalues are used.
// Constraints, where `op` is the op's name:
//
// [op.C1]  at least 2 dims, of f32, f64, c64 or c128; for a rank any dtype if both tolerances are given.
// [op.C2]  real tolerances.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/linalg/pseudo_inverse.h"

namespace ersatz::op_pseudo_inverse {

/// The number of singular values that are not zero; 0 for an empty matrix.
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
