// positive and conj_physical: they return self if there is nothing to compute.
//
// [positive.C1]  self is not bool, because a bool has no sign.
#pragma once

#include "runtime/op/dispatch.h"
#include "runtime/op/typed_schema.h"
#include "typed/pointwise/identity.h"

namespace ersatz::op_identity {

/// Returns self.
inline constexpr TypedSchema kPositive{"aten::positive(Tensor(a) self) -> Tensor(a)"};
/// Returns a new tensor of conjugates, or self if it is real.
inline constexpr TypedSchema kConjPhysical{"aten::conj_physical(Tensor self) -> Tensor"};

}  // namespace ersatz::op_identity
