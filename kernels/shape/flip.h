// flip: elements in reverse order along some dims.
#pragma once

#include "kernels/shape/dim_set.h"
#include "runtime/op/rule.h"
#include "runtime/op/typed_schema.h"
#include "typed/shape/flip.h"

namespace ersatz::op_flip {

/// A copy in which index i of each dim in `dims` has the element of index size - 1 - i. Negative dims count from the
/// end. If the input is dense, the result has its layout, as with `clone`.
/// [flip.C1] no dim is repeated.
/// [flip.C2] the input has at most 64 dims, whichever are reversed.
inline constexpr TypedSchema kFlip{"aten::flip(Tensor self, int[] dims) -> Tensor"};

/// Refuses limited dtypes that ATen's loop cannot reverse along `dims`.
void require_reversible(const RuleCall& call, const TensorMeta& self, const DimSet& dims);

}  // namespace ersatz::op_flip
