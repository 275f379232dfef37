// Operators that read or write diagonals: `diag`, `diag_embed`, `diagflat`, `trace`, `block_diag`.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/diag.h"

namespace ersatz::op_diag {

/// Writes the last dim of `self` to diagonals of matrices. The matrices are in dims `dim1` and `dim2` of the result,
/// and their other elements are zero.
/// [diag_embed.C1] the two dims differ.
inline constexpr TypedSchema kDiagEmbed{
    "aten::diag_embed(Tensor self, int offset=0, int dim1=-2, int dim2=-1) -> Tensor"};
/// For a vector: returns a matrix with the vector on diagonal `diagonal`. For a matrix: returns a copy of that
/// diagonal.
/// [diag.C1] the input has one or two dims.
inline constexpr TypedSchema kDiag{"aten::diag(Tensor self, int diagonal=0) -> Tensor"};
/// Applies `diag` to a vector of all elements of `self`, in row-major order.
inline constexpr TypedSchema kDiagflat{"aten::diagflat(Tensor self, int offset=0) -> Tensor"};
/// Returns the sum of the main diagonal. Integers and bools are summed as i64.
/// [trace.C1] the input is a matrix.
inline constexpr TypedSchema kTrace{"aten::trace(Tensor self) -> Tensor"};
/// Returns one matrix that has the given matrices as blocks on its diagonal, in the promoted dtype. A vector is a row.
/// [block_diag.C1] each tensor has at most two dims.
inline constexpr TypedSchema kBlockDiag{"aten::block_diag(Tensor[] tensors) -> Tensor"};

}  // namespace ersatz::op_diag
