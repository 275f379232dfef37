// amax, amin: the largest or smallest element over dims.
//
// Constraints
// [amax.C1] dims are in range, at most 64, each named once.
// [amax.C2] no reduced dim is empty (IndexError where dims are named).
// The same labels hold for amin. Complex numbers have no order (NotSupported). NaN wins. The result is row-major.
#pragma once

#include "runtime/tensor.h"

namespace ersatz::ops {

/// No dims: over all.
Tensor amax(const Tensor& self, std::span<const SymInt> dim = {}, bool keepdim = false);
Tensor amin(const Tensor& self, std::span<const SymInt> dim = {}, bool keepdim = false);

}  // namespace ersatz::ops
