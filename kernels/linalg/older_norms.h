// Ranks, pseudo-inverses, norms and products of matrices under signatures that came before those of `linalg_*`. What
// the newer op refuses carries its label. Constraints, where `op` is the op's name:
//
// [frobenius_norm.C1] at most two dims.
// [linalg_cond.C1] at least 2 dims.
// [linalg_cond.C2] the order is fro or nuc (value error).
// [linalg_cond.C3] square matrices.
// [chain_matmul.C1] a matrix at least, and nothing else.
#pragma once

#include "runtime/op/schema_literal.h"

namespace ersatz::op_older_norms {

/// An absolute tolerance.
inline constexpr Schema kRank{"aten::linalg_matrix_rank(Tensor self, float tol, bool hermitian=False) -> Tensor"};
inline constexpr Schema kRankTensor{
    "aten::linalg_matrix_rank.tol_tensor(Tensor input, Tensor tol, bool hermitian=False) -> Tensor"};
/// A relative one.
inline constexpr Schema kPinv{"aten::linalg_pinv(Tensor self, float rcond, bool hermitian=False) -> Tensor"};
inline constexpr Schema kPinvTensor{
    "aten::linalg_pinv.rcond_tensor(Tensor self, Tensor rcond, bool hermitian=False) -> Tensor"};
/// The norm of a matrix times that of its inverse; infinite where it has none.
inline constexpr Schema kCond{"aten::linalg_cond.p_str(Tensor self, str p) -> Tensor"};
inline constexpr Schema kNuclear{"aten::nuclear_norm(Tensor self, bool keepdim=False) -> Tensor"};
inline constexpr Schema kNuclearDim{"aten::nuclear_norm.dim(Tensor self, int[2] dim, bool keepdim=False) -> Tensor"};
inline constexpr Schema kFrobenius{"aten::frobenius_norm.dim(Tensor self, int[1] dim, bool keepdim=False) -> Tensor"};
/// `linalg_multi_dot`; one matrix is the result itself.
inline constexpr Schema kChain{"aten::chain_matmul(Tensor[] matrices) -> Tensor"};

}  // namespace ersatz::op_older_norms
