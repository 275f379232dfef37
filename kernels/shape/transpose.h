// `t` and `transpose` exchange two dims. Each also exists as an in-place op, which changes metadata only.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/transpose.h"

namespace ersatz::op_transpose {

/// Returns the transposed matrix. A vector or a 0-d tensor stays as it is.
/// [t.C1] self has at most 2 dims.
inline constexpr TypedSchema kT{"aten::t(Tensor(a) self) -> Tensor(a)"};
/// Transposes in place: gives `self` new sizes and strides.
inline constexpr TypedSchema kTInplace{"aten::t_(Tensor(a!) self) -> Tensor(a!)"};
/// Exchanges dims `dim0` and `dim1`. Raises IndexError for a dim outside [-rank, rank).
inline constexpr TypedSchema kTransposeInt{"aten::transpose.int(Tensor(a) self, int dim0, int dim1) -> Tensor(a)"};
inline constexpr TypedSchema kTransposeInplace{"aten::transpose_(Tensor(a!) self, int dim0, int dim1) -> Tensor(a!)"};

}  // namespace ersatz::op_transpose
