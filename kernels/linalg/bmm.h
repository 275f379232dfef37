// bmm, baddbmm: products of batches of matrices.
//
// Constraints
// [bmm.C1] self and mat2 are 3-d.
// [bmm.C2] self and mat2 have the same number of matrices, and self has as many columns as mat2 has rows.
// [bmm.C3] self and mat2 have one dtype, unless the result or the inner dim is empty.
// [baddbmm.C4] self expands to the result's sizes and has its dtype.
// [baddbmm.C5] beta and alpha are representable in that dtype.
//
// The result is contiguous and has the dtype of the second batch.
#pragma once

#include "runtime/op/typed_schema.h"
#include "runtime/op/value.h"
#include "typed/linalg/bmm.h"

namespace ersatz::op_bmm {

/// self[b,n,k] @ mat2[b,k,m] -> [b,n,m].
inline constexpr TypedSchema kBmm{"aten::bmm(Tensor self, Tensor mat2) -> Tensor"};
/// beta * self + alpha * (batch1 @ batch2).
inline constexpr TypedSchema kBaddbmm{
    "aten::baddbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> Tensor"};

}  // namespace ersatz::op_bmm
