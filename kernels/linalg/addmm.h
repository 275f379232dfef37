// addmm: a matrix product added to a matrix.
//
// Constraints
// [addmm.C1] mat1 and mat2 are 2-d.
// [addmm.C2] mat1.size(1) == mat2.size(0).
// [addmm.C3] self, mat1 and mat2 have one dtype.
// [addmm.C4] self expands to [mat1.size(0), mat2.size(1)].
// [addmm.C5] beta and alpha are representable in that dtype.
//
// If `beta` is 0, elements of self are ignored, even NaN. The result is contiguous.
#pragma once

#include "runtime/op/typed_schema.h"
#include "runtime/op/value.h"
#include "typed/linalg/addmm.h"

namespace ersatz::op_addmm {

/// beta * self + alpha * (mat1 @ mat2).
inline constexpr TypedSchema kAddmm{
    "aten::addmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> Tensor"};

}  // namespace ersatz::op_addmm
