// The Kronecker product.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/linalg/kron.h"

namespace ersatz::op_kron {

/// Multiplies each element of `self` with all elements of `other`. The operand with fewer dims gets leading dims of
/// size 1. The result is a view of an elementwise product with twice the dims. If the view would need a copy,
/// [_unsafe_view.C3] is raised.
inline constexpr TypedSchema kKron{"aten::kron(Tensor self, Tensor other) -> Tensor"};

}  // namespace ersatz::op_kron
