// dist(self, other, p): the p-norm of self - other.
//
// [dist.C1] `out` has the dtype of the result.
// The operands broadcast. All other errors are raised by `sub` or `linalg_vector_norm`, which dist calls.
#pragma once

#include "runtime/op/typed_schema.h"
#include "runtime/op/value.h"
#include "typed/reduction/dist.h"

namespace ersatz::op_dist {

inline constexpr TypedSchema kDist{"aten::dist(Tensor self, Tensor other, Scalar p=2) -> Tensor"};

}  // namespace ersatz::op_dist
