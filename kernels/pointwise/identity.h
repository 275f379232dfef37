// positive and conj_physical: ops that answer the input itself where there is nothing to do.
//
// [positive.C1]  Bool tensors have no sign.
#pragma once

#include "runtime/op/dispatch.h"

namespace ersatz::ops {

/// The tensor itself.
Tensor positive(const Tensor& self);
/// A new tensor of conjugates; a real tensor itself.
Tensor conj_physical(const Tensor& self);

}  // namespace ersatz::ops
