// Exchanging two dims: `t` for matrices, `transpose` for any rank; each also in place (metadata only).
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/transpose.h"

namespace ersatz::op_transpose {

/// The matrix transposed; a vector or a 0-d tensor as it is.
/// [t.C1] at most 2 dims.
inline constexpr TypedSchema kT{"aten::t(Tensor(a) self) -> Tensor(a)"};
/// `self` itself with new sizes and strides.
inline constexpr TypedSchema kTInplace{"aten::t_(Tensor(a!) self) -> Tensor(a!)"};
/// Dims `dim0` and `dim1` exchanged; each in [-rank, rank), else an index error.
inline constexpr TypedSchema kTransposeInt{"aten::transpose.int(Tensor(a) self, int dim0, int dim1) -> Tensor(a)"};
inline constexpr TypedSchema kTransposeInplace{"aten::transpose_(Tensor(a!) self, int dim0, int dim1) -> Tensor(a!)"};

}  // namespace ersatz::op_transpose
