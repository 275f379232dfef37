// Evenly spaced numbers: `arange`.
#pragma once

#include "kernels/creation/factory_options.h"
#include "runtime/op/value.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::ops {

/// start, start + step, ... before `end`. The dtype, unless given, is i64 for ints, else the default dtype; a given
/// integer dtype truncates start and step, not their number.
/// [arange.C1] a step that is not 0.
/// [arange.C2] finite numbers.
/// [arange.C3] a step from start towards end.
/// [arange.C4] real numbers that fit the dtype.
Tensor arange(const Scalar& start, const Scalar& end, const Scalar& step = 1, const FactoryOptions& options = {});
Tensor arange(const Scalar& end, const FactoryOptions& options = {});

}  // namespace ersatz::ops
