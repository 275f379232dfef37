// Two dims exchanged: `t` for matrices, `transpose` for any rank; each also in place (metadata only).
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/transpose.h"

namespace ersatz::op_transpose {

/// The transposed matrix; a vector or 0-d tensor is unchanged.
/// [t.C1] the input has at most 2 dims.
inline constexpr TypedSchema kT{"aten::t(Tensor(a) self) -> Tensor(a)"};
/// Gives `self` new sizes and strides.
inline constexpr TypedSchema kTInplace{"aten::t_(Tensor(a!) self) -> Tensor(a!)"};
/// Exchanges dims `dim0` and `dim1`. Raises IndexError for a dim outside [-rank, rank).
inline constexpr TypedSchema kTransposeInt{"aten::transpose.int(Tensor(a) self, int dim0, int dim1) -> Tensor(a)"};
inline constexpr TypedSchema kTransposeInplace{"aten::transpose_(Tensor(a!) self, int dim0, int dim1) -> Tensor(a!)"};

}  // namespace ersatz::op_transpose
