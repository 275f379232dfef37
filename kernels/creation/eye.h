// The identity matrix: `eye`.
#pragma once

#include "kernels/creation/factory_options.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::ops {

/// Ones where row and column are the same, zeros elsewhere; square, or n by m.
/// [eye.C1] no negative size.
Tensor eye(SymInt n, const FactoryOptions& options = {});
Tensor eye(SymInt n, SymInt m, const FactoryOptions& options = {});

}  // namespace ersatz::ops
