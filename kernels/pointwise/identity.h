// positive and conj_physical: ops that return the input itself where there is nothing to do.
//
// [positive.C1]  Bool tensors have no sign.
#pragma once

#include "runtime/op/dispatch.h"
#include "runtime/op/typed_schema.h"
#include "typed/pointwise/identity.h"

namespace ersatz::op_identity {

/// The tensor itself.
inline constexpr TypedSchema kPositive{"aten::positive(Tensor(a) self) -> Tensor(a)"};
/// A new tensor of conjugates; a real tensor itself.
inline constexpr TypedSchema kConjPhysical{"aten::conj_physical(Tensor self) -> Tensor"};

}  // namespace ersatz::op_identity
