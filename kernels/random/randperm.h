// Numbers in random order.
#pragma once

#include "kernels/creation/factory_options.h"
#include "runtime/op/schema_literal.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::op_randperm {

inline constexpr Schema kRandperm{
    "aten::randperm(SymInt n, *, ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None) "
    "-> Tensor"};

}  // namespace ersatz::op_randperm

namespace ersatz::ops {

/// 0 to n - 1 in random order; i64 unless given.
/// [randperm.C1] n >= 0.
/// [randperm.C2] n - 1 is a number of the dtype; of a floating one all up to it are.
Tensor randperm(SymInt n, const FactoryOptions& options = {});

}  // namespace ersatz::ops
