// positive and conj_physical: ops that answer the input itself where there is nothing to do.
//
// [positive.C1]  Bool tensors have no sign.
#pragma once

#include "runtime/op/dispatch.h"
#include "runtime/op/schema_literal.h"

namespace ersatz::op_identity {

inline constexpr Schema kPositive{"aten::positive(Tensor(a) self) -> Tensor(a)"};
inline constexpr Schema kConjPhysical{"aten::conj_physical(Tensor self) -> Tensor"};

}  // namespace ersatz::op_identity

namespace ersatz::ops {

/// The tensor itself.
Tensor positive(const Tensor& self);
/// A new tensor of conjugates; a real tensor itself.
Tensor conj_physical(const Tensor& self);

}  // namespace ersatz::ops
