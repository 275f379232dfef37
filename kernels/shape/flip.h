// Elements in reverse order along some dims.
#pragma once

#include "kernels/shape/dim_set.h"
#include "runtime/op/rule.h"
#include "runtime/op/typed_schema.h"
#include "typed/shape/flip.h"

namespace ersatz::op_flip {

/// A copy in which index i of each dim in `dims` holds what index size - 1 - i held. Negative dims count from the end.
/// The result keeps the input's layout where that is dense, as `clone` does.
/// [flip.C1] no dim twice.
/// [flip.C2] at most 64 dims, whichever are reversed.
inline constexpr TypedSchema kFlip{"aten::flip(Tensor self, int[] dims) -> Tensor"};

/// Refuses limited dtypes that ATen's loop does not reverse along `dims`.
void require_reversible(const RuleCall& call, const TensorMeta& self, const DimSet& dims);

}  // namespace ersatz::op_flip
