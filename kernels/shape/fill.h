// One value for every element: `fill_`, `zero_`.
#pragma once

#include "runtime/op/value.h"

namespace ersatz::ops {

/// [fill_.C1] a number that fits the dtype.
/// A tensor whose elements share memory may be filled: they all become equal.
Tensor fill_(const Tensor& self, const Scalar& value);
/// The value is copied, as `copy_` does.
/// [fill_.C2] a value without dims.
/// [fill_.C3] no two elements of self share memory.
Tensor fill_(const Tensor& self, const Tensor& value);
/// A copy of the layout of `self`, filled. Constraints as fill_, labelled fill.C1 and fill.C2.
Tensor fill(const Tensor& self, const Scalar& value);
Tensor fill(const Tensor& self, const Tensor& value);
Tensor zero_(const Tensor& self);
Tensor zero(const Tensor& self);

}  // namespace ersatz::ops
