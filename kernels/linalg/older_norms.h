// Older overloads for ranks, pseudo-inverses, norms and products of matrices. Each calls a newer `linalg_*` operator,
// so most errors have the label of that operator. Constraints, where `op` is the op's name:
//
// [frobenius_norm.C1] `dim` has at most two dims.
// [linalg_cond.C1] self has at least 2 dims.
// [linalg_cond.C2] `p` is fro or nuc (value error).
// [linalg_cond.C3] self has square matrices.
// [chain_matmul.C1] there is at least one tensor, and all tensors are matrices.
#pragma once

#include "runtime/op/schema_literal.h"

namespace ersatz::op_older_norms {

/// `tol` is an absolute tolerance.
inline constexpr Schema kRank{"aten::linalg_matrix_rank(Tensor self, float tol, bool hermitian=False) -> Tensor"};
inline constexpr Schema kRankTensor{
    "aten::linalg_matrix_rank.tol_tensor(Tensor input, Tensor tol, bool hermitian=False) -> Tensor"};
/// `rcond` is a relative tolerance.
inline constexpr Schema kPinv{"aten::linalg_pinv(Tensor self, float rcond, bool hermitian=False) -> Tensor"};
inline constexpr Schema kPinvTensor{
    "aten::linalg_pinv.rcond_tensor(Tensor self, Tensor rcond, bool hermitian=False) -> Tensor"};
/// The norm of a matrix times the norm of its inverse. The result for a singular matrix is infinite.
inline constexpr Schema kCond{"aten::linalg_cond.p_str(Tensor self, str p) -> Tensor"};
inline constexpr Schema kNuclear{"aten::nuclear_norm(Tensor self, bool keepdim=False) -> Tensor"};
inline constexpr Schema kNuclearDim{"aten::nuclear_norm.dim(Tensor self, int[2] dim, bool keepdim=False) -> Tensor"};
inline constexpr Schema kFrobenius{"aten::frobenius_norm.dim(Tensor self, int[1] dim, bool keepdim=False) -> Tensor"};
/// Calls `linalg_multi_dot` for several matrices. A single matrix is returned unchanged.
inline constexpr Schema kChain{"aten::chain_matmul(Tensor[] matrices) -> Tensor"};

}  // namespace ersatz::op_older_norms
