// The public operators for factorisations, solvers and inverses. Each operator calls one inner op, returns some of its
// results, and raises if a matrix is singular or not positive definite. The metadata come from the rule of the inner
// op.
//
// Values: `linalg_lu_factor`, `linalg_ldl_factor`, `linalg_solve`, `linalg_inv` and `linalg_cholesky` raise the error
// labelled [_linalg_check_errors.value] if the `info` of a matrix is not 0.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/linalg/named_factors.h"

namespace ersatz::op_named_factors {

inline constexpr TypedSchema kCholesky{"aten::linalg_cholesky(Tensor self, *, bool upper=False) -> Tensor"};
inline constexpr TypedSchema kLuFactor{
    "aten::linalg_lu_factor(Tensor A, *, bool pivot=True) -> (Tensor LU, Tensor pivots)"};
inline constexpr TypedSchema kLdlFactor{
    "aten::linalg_ldl_factor(Tensor self, *, bool hermitian=False) -> (Tensor LD, Tensor pivots)"};
/// PyTorch ignores `check_errors` here: a singular matrix is never refused.
inline constexpr TypedSchema kLuWithInfo{
    "aten::_lu_with_info(Tensor self, bool pivot=True, bool check_errors=True) -> (Tensor LU, Tensor pivots, Tensor "
    "info)"};
inline constexpr TypedSchema kDet{"aten::linalg_det(Tensor A) -> Tensor"};
inline constexpr TypedSchema kSlogdet{"aten::linalg_slogdet(Tensor A) -> (Tensor sign, Tensor logabsdet)"};
inline constexpr TypedSchema kSolveEx{
    "aten::linalg_solve_ex(Tensor A, Tensor B, *, bool left=True, bool check_errors=False) -> (Tensor result, Tensor "
    "info)"};
inline constexpr TypedSchema kSolve{"aten::linalg_solve(Tensor A, Tensor B, *, bool left=True) -> Tensor"};
inline constexpr TypedSchema kInv{"aten::linalg_inv(Tensor A) -> Tensor"};
inline constexpr TypedSchema kLuSolve{"aten::lu_solve(Tensor self, Tensor LU_data, Tensor LU_pivots) -> Tensor"};
inline constexpr TypedSchema kEigh{
    "aten::linalg_eigh(Tensor self, str UPLO=\"L\") -> (Tensor eigenvalues, Tensor eigenvectors)"};
inline constexpr TypedSchema kEigvalsh{"aten::linalg_eigvalsh(Tensor self, str UPLO=\"L\") -> Tensor"};
inline constexpr TypedSchema kSvd{
    "aten::linalg_svd(Tensor A, bool full_matrices=True, *, str? driver=None) -> (Tensor U, Tensor S, Tensor Vh)"};
inline constexpr TypedSchema kSvdvals{"aten::linalg_svdvals(Tensor A, *, str? driver=None) -> Tensor"};
/// The logarithm of the determinant; NaN if the determinant is negative.
/// [logdet.C1] self has at least 2 dims.
/// [logdet.C2] self has square matrices.
inline constexpr TypedSchema kLogdet{"aten::logdet(Tensor self) -> Tensor"};

}  // namespace ersatz::op_named_factors
