// Numbers in random order.
#pragma once

#include "kernels/creation/factory_options.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::ops {

/// 0 to n - 1 in random order; i64 unless given.
/// [randperm.C1] n >= 0.
/// [randperm.C2] n - 1 is a number of the dtype; of a floating one all up to it are.
Tensor randperm(SymInt n, const FactoryOptions& options = {});

}  // namespace ersatz::ops
