// addmm: a matrix product added to a matrix.
//
// Constraints
// [addmm.C1] mat1 and mat2 are 2-d.
// [addmm.C2] mat1.size(1) == mat2.size(0).
// [addmm.C3] self, mat1 and mat2 have one dtype.
// [addmm.C4] self expands to [mat1.size(0), mat2.size(1)].
// [addmm.C5] beta and alpha are representable in that dtype.
//
// `beta` 0 ignores what self holds, NaN included. The result is contiguous.
#pragma once

#include "runtime/op/schema_literal.h"
#include "runtime/op/value.h"

namespace ersatz::op_addmm {

inline constexpr Schema kAddmm{
    "aten::addmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> Tensor"};

}  // namespace ersatz::op_addmm

namespace ersatz::ops {

/// beta * self + alpha * (mat1 @ mat2).
Tensor addmm(const Tensor& self, const Tensor& mat1, const Tensor& mat2, const Scalar& beta = 1,
             const Scalar& alpha = 1);

}  // namespace ersatz::ops
