// Diagonals: `diag`, `diag_embed`, `diagflat`, `trace`, `block_diag`.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/diag.h"

namespace ersatz::op_diag {

/// Puts the last dim of the input on diagonals of matrices in dims `dim1` and `dim2` of the result; other elements are
/// zero.
/// [diag_embed.C1] the two dims differ.
inline constexpr TypedSchema kDiagEmbed{
    "aten::diag_embed(Tensor self, int offset=0, int dim1=-2, int dim2=-1) -> Tensor"};
/// For a vector, a matrix with the vector on its diagonal number `diagonal`. For a matrix, a copy of that diagonal.
/// [diag.C1] the input has one or two dims.
inline constexpr TypedSchema kDiag{"aten::diag(Tensor self, int diagonal=0) -> Tensor"};
/// `diag` of the vector of all elements, in row-major order.
inline constexpr TypedSchema kDiagflat{"aten::diagflat(Tensor self, int offset=0) -> Tensor"};
/// The sum of the main diagonal; integers and bools are summed as i64.
/// [trace.C1] the input is a matrix.
inline constexpr TypedSchema kTrace{"aten::trace(Tensor self) -> Tensor"};
/// Matrices on the diagonal of one matrix, which has the promoted dtype. Vectors count as rows.
/// [block_diag.C1] each tensor has at most two dims.
inline constexpr TypedSchema kBlockDiag{"aten::block_diag(Tensor[] tensors) -> Tensor"};

}  // namespace ersatz::op_diag
