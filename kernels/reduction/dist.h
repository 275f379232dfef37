// dist: the p-norm of a difference.
//
// [dist.C1] the out argument has the dtype of the result.
// The operands broadcast; what `sub` and `linalg_vector_norm` refuse is refused.
#pragma once

#include "runtime/op/schema_literal.h"
#include "runtime/op/value.h"

namespace ersatz::op_dist {

inline constexpr Schema kDist{"aten::dist(Tensor self, Tensor other, Scalar p=2) -> Tensor"};
inline constexpr Schema kDistOut{
    "aten::dist.out(Tensor self, Tensor other, Scalar p=2, *, Tensor(a!) out) -> Tensor(a!)"};

}  // namespace ersatz::op_dist

namespace ersatz::ops {

Tensor dist(const Tensor& self, const Tensor& other, const Scalar& p = int64_t(2));

}  // namespace ersatz::ops
