// addmv, mv, dot: products with vectors.
//
// Constraints
// [addmv.C1] mat is 2-d, vec is 1-d.
// [addmv.C2] mat.size(1) == vec.size(0).
// [addmv.C3] operands have one dtype.
// [addmv.C4] self expands to [mat.size(0)].
// [addmv.C5] beta and alpha are representable in that dtype.
// [mv.C1], [mv.C2], [mv.C3] the same for mv; [dot.C1] two 1-d tensors, [dot.C2] of one length, [dot.C3] of one dtype.
//
// Results are contiguous; dot answers a 0-d tensor and does not conjugate.
#pragma once

#include "runtime/op/schema_literal.h"
#include "runtime/op/value.h"

namespace ersatz::op_addmv {

inline constexpr Schema kAddmv{
    "aten::addmv(Tensor self, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1) -> Tensor"};
inline constexpr Schema kMv{"aten::mv(Tensor self, Tensor vec) -> Tensor"};
inline constexpr Schema kDot{"aten::dot(Tensor self, Tensor tensor) -> Tensor"};

}  // namespace ersatz::op_addmv

namespace ersatz::ops {

/// beta * self + alpha * (mat @ vec).
Tensor addmv(const Tensor& self, const Tensor& mat, const Tensor& vec, const Scalar& beta = 1, const Scalar& alpha = 1);
Tensor mv(const Tensor& self, const Tensor& vec);
Tensor dot(const Tensor& self, const Tensor& tensor);

}  // namespace ersatz::ops
