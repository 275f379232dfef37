// addmv, mv, dot: products with vectors.
//
// Constraints
// [addmv.C1] mat is 2-d, vec is 1-d.
// [addmv.C2] mat.size(1) == vec.size(0).
// [addmv.C3] operands have one dtype.
// [addmv.C4] self expands to [mat.size(0)].
// [addmv.C5] beta and alpha are representable in that dtype.
// [mv.C1], [mv.C2], [mv.C3] are the conditions of [addmv.C1], [addmv.C2] and [addmv.C3].
// [dot.C1] self and tensor are 1-d. [dot.C2] self and tensor have one length. [dot.C3] self and tensor have one dtype.
//
// Results are contiguous; dot returns a 0-d tensor and does not conjugate.
#pragma once

#include "runtime/op/typed_schema.h"
#include "runtime/op/value.h"
#include "typed/linalg/addmv.h"

namespace ersatz::op_addmv {

/// beta * self + alpha * (mat @ vec).
inline constexpr TypedSchema kAddmv{
    "aten::addmv(Tensor self, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1) -> Tensor"};
inline constexpr TypedSchema kMv{"aten::mv(Tensor self, Tensor vec) -> Tensor"};
inline constexpr TypedSchema kDot{"aten::dot(Tensor self, Tensor tensor) -> Tensor"};

}  // namespace ersatz::op_addmv
