// Diagonals as tensors of their own: `diag`, `diag_embed`, `diagflat`, `trace`, `block_diag`.
#pragma once

#include "runtime/op/schema_literal.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::op_diag {

inline constexpr Schema kDiagEmbed{"aten::diag_embed(Tensor self, int offset=0, int dim1=-2, int dim2=-1) -> Tensor"};
inline constexpr Schema kDiag{"aten::diag(Tensor self, int diagonal=0) -> Tensor"};
inline constexpr Schema kDiagOut{"aten::diag.out(Tensor self, int diagonal=0, *, Tensor(a!) out) -> Tensor(a!)"};
inline constexpr Schema kDiagflat{"aten::diagflat(Tensor self, int offset=0) -> Tensor"};
inline constexpr Schema kTrace{"aten::trace(Tensor self) -> Tensor"};
inline constexpr Schema kBlockDiag{"aten::block_diag(Tensor[] tensors) -> Tensor"};

}  // namespace ersatz::op_diag

namespace ersatz::ops {

/// The matrix with a vector on its diagonal `diagonal`; of a matrix a copy of that diagonal.
/// [diag.C1] one or two dims.
Tensor diag(const Tensor& self, int64_t diagonal = 0);
/// The last dim of the input on diagonals of matrices in dims `dim1` and `dim2` of the result, zeros elsewhere.
/// [diag_embed.C1] two different dims.
Tensor diag_embed(const Tensor& self, int64_t offset = 0, int64_t dim1 = -2, int64_t dim2 = -1);
/// `diag` of the elements in row-major order.
Tensor diagflat(const Tensor& self, int64_t offset = 0);
/// The sum of the main diagonal, integers and bools as i64.
/// [trace.C1] a matrix.
Tensor trace(const Tensor& self);
/// Matrices along the diagonal of one matrix, of the promoted dtype; vectors count as rows.
/// [block_diag.C1] two dims at most.
Tensor block_diag(std::span<const Tensor> tensors);

}  // namespace ersatz::ops
