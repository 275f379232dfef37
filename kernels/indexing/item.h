// The value of a one-element tensor as a host number.
#pragma once

#include "runtime/op/value.h"

namespace ersatz::ops {

/// [item.C1] exactly one element.
/// A fake has no values: DataDependentOutput.
Scalar item(const Tensor& self);

}  // namespace ersatz::ops
