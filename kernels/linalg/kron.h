// The Kronecker product.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/linalg/kron.h"

namespace ersatz::op_kron {

/// Each element of `self` times all of `other`; the one of fewer dims counts as having dims of size 1 in front.
/// The layout is that of the product before its dims are joined, which must be possible without a copy
/// ([_unsafe_view.C3]).
inline constexpr TypedSchema kKron{"aten::kron(Tensor self, Tensor other) -> Tensor"};

}  // namespace ersatz::op_kron
