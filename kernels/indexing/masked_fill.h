// One number where a mask is true.
#pragma once

#include "runtime/op/value.h"

namespace ersatz::ops {

/// A row-major copy of `self`, broadcast with the mask, `value` where the mask is true.
/// [masked_fill.C1] a bool mask.
/// [masked_fill.C2] mask and self broadcast; in place, the mask broadcasts to self.
/// [masked_fill.C3] a number that fits the dtype.
Tensor masked_fill(const Tensor& self, const Tensor& mask, const Scalar& value);
Tensor masked_fill_(const Tensor& self, const Tensor& mask, const Scalar& value);
/// The number that a tensor holds.
/// [masked_fill.C4] a value without dims.
/// Values: it fits the dtype (runtime error).
Tensor masked_fill(const Tensor& self, const Tensor& mask, const Tensor& value);
Tensor masked_fill_(const Tensor& self, const Tensor& mask, const Tensor& value);

}  // namespace ersatz::ops
