// Ranks and pseudo-inverses of matrices: what counts as zero among singular values, and inverses of the others.
//
// A singular value is zero up to the larger of `atol` and `rtol` times the largest one. rtol is by default, and where
// atol is not positive, the rounding unit times the larger of both sizes. With `hermitian` the magnitudes of
// eigenvalues stand for singular values. Constraints, where `op` is the op's name:
//
// [op.C1]  at least 2 dims, of f32, f64, c64 or c128; a rank of any dtype where both tolerances are given.
// [op.C2]  real tolerances.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/linalg/pseudo_inverse.h"

namespace ersatz::op_pseudo_inverse {

/// How many singular values are not zero; 0 of nothing.
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
/// The same with a relative tolerance alone.
inline constexpr TypedSchema kPinverse{"aten::pinverse(Tensor self, float rcond=1.0000000000000001e-15) -> Tensor"};

}  // namespace ersatz::op_pseudo_inverse
