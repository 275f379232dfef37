// The same geometry on the same memory: a new handle, `alias` and `detach`.
#pragma once

#include "runtime/tensor/tensor.h"

namespace ersatz::ops {

Tensor alias(const Tensor& self);
/// Without gradient history.
Tensor detach(const Tensor& self);
/// `self` itself, without gradient history.
Tensor detach_(const Tensor& self);
/// A literal tensor as it enters a program: `self` itself.
Tensor lift_fresh(const Tensor& self);

}  // namespace ersatz::ops
