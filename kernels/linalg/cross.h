// Cross products, Vandermonde matrices, and linalg_diagonal.
//
// linalg_cross(self, other, dim)  cross products of the vectors along `dim`; self and other broadcast; row-major
// cross(self, other, dim)         linalg_cross; if `dim` is None, along the first dim of size 3
// linalg_vander(x, N)             powers 0 to N - 1 of the elements, along a new last dim
// linalg_diagonal(A, ...)         the view that aten::diagonal returns, by default of the last two dims
//
// [linalg_cross.C1] self and other have one rank and one dtype. [linalg_cross.C2] both have size 3 in `dim`.
// [linalg_cross.C3] the sizes of self and other broadcast. [cross.C4] if `dim` is None, self has a dim of size 3.
// [linalg_vander.C1] N, by default the size of the last dim, is more than 1.
// All behave like the ATen operators of these names.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/linalg/cross.h"

namespace ersatz::op_cross {

inline constexpr TypedSchema kLinalgCross{"aten::linalg_cross(Tensor self, Tensor other, *, int dim=-1) -> Tensor"};
inline constexpr TypedSchema kCross{"aten::cross(Tensor self, Tensor other, int? dim=None) -> Tensor"};
inline constexpr Schema kVander{"aten::linalg_vander(Tensor x, *, SymInt? N=None) -> Tensor"};
inline constexpr Schema kDiagonal{
    "aten::linalg_diagonal(Tensor(a) A, *, int offset=0, int dim1=-2, int dim2=-1) -> Tensor(a)"};
inline constexpr Schema kKind{"aten::{}(Tensor self) -> bool"};  ///< the schema of is_complex and is_floating_point

}  // namespace ersatz::op_cross
