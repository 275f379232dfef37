// dist: the p-norm of a difference.
//
// [dist.C1] the out argument has the dtype of the result.
// The operands broadcast. Other refusals are those of `sub` and `linalg_vector_norm`.
#pragma once

#include "runtime/op/typed_schema.h"
#include "runtime/op/value.h"
#include "typed/reduction/dist.h"

namespace ersatz::op_dist {

inline constexpr TypedSchema kDist{"aten::dist(Tensor self, Tensor other, Scalar p=2) -> Tensor"};

}  // namespace ersatz::op_dist
