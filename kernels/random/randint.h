// Uniform random integers.
#pragma once

#include "kernels/creation/factory_options.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::ops {

/// Integers in [low, high); i64 unless given.
/// [randint.C1] no negative size.
/// [randint.C2] low < high.
/// [randint.C3] low and high - 1 are numbers of the dtype, which is not complex.
/// `randint_like` has the same bounds, and
/// [randint_like.C4] a rank that the memory format has.
/// [randint_like.C5] a bound in a CPU tensor without dims.
Tensor randint(SymInt low, SymInt high, std::span<const SymInt> size, const FactoryOptions& options = {});

}  // namespace ersatz::ops
