// Diagonals as tensors of their own: `diag`, `diag_embed`, `diagflat`, `trace`, `block_diag`.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/diag.h"

namespace ersatz::op_diag {

/// The last dim of the input on diagonals of matrices in dims `dim1` and `dim2` of the result, zeros elsewhere.
/// [diag_embed.C1] two different dims.
inline constexpr TypedSchema kDiagEmbed{
    "aten::diag_embed(Tensor self, int offset=0, int dim1=-2, int dim2=-1) -> Tensor"};
/// The matrix with a vector on its diagonal `diagonal`; of a matrix a copy of that diagonal.
/// [diag.C1] one or two dims.
inline constexpr TypedSchema kDiag{"aten::diag(Tensor self, int diagonal=0) -> Tensor"};
/// `diag` of the elements in row-major order.
inline constexpr TypedSchema kDiagflat{"aten::diagflat(Tensor self, int offset=0) -> Tensor"};
/// The sum of the main diagonal, integers and bools as i64.
/// [trace.C1] a matrix.
inline constexpr TypedSchema kTrace{"aten::trace(Tensor self) -> Tensor"};
/// Matrices along the diagonal of one matrix, of the promoted dtype; vectors count as rows.
/// [block_diag.C1] two dims at most.
inline constexpr TypedSchema kBlockDiag{"aten::block_diag(Tensor[] tensors) -> Tensor"};

}  // namespace ersatz::op_diag
