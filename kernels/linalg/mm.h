// mm: the product of two matrices.
//
// Constraints
// [mm.C1] self and mat2 are 2-d.
// [mm.C2] self.size(1) == mat2.size(0).
// [mm.C3] self and mat2 have one dtype.
//
// The result is contiguous for all strides of the operands.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/linalg/mm.h"

namespace ersatz::op_mm {

/// self[n,k] @ mat2[k,m] -> [n,m].
inline constexpr TypedSchema kMm{"aten::mm(Tensor self, Tensor mat2) -> Tensor"};

}  // namespace ersatz::op_mm
