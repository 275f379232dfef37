// `flip` reverses the order of elements along some dims.
#pragma once

#include "kernels/shape/dim_set.h"
#include "runtime/op/rule.h"
#include "runtime/op/typed_schema.h"
#include "typed/shape/flip.h"

namespace ersatz::op_flip {

/// Returns a copy in which each dim in `dims` is reversed: index i has the element of index size - 1 - i. If self is
/// dense, the copy has self's strides.
/// [flip.C1] no dim is repeated.
/// [flip.C2] the input has at most 64 dims.
inline constexpr TypedSchema kFlip{"aten::flip(Tensor self, int[] dims) -> Tensor"};

/// Refuses dtypes of limited support if at::flip cannot reverse them along `dims`.
void require_reversible(const RuleCall& call, const TensorMeta& self, const DimSet& dims);

}  // namespace ersatz::op_flip
