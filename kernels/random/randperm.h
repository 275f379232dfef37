// randperm: integers in random order.
#pragma once

#include "kernels/creation/factory_options.h"
#include "runtime/op/typed_schema.h"
#include "runtime/tensor/tensor.h"
#include "typed/random/randperm.h"

namespace ersatz::op_randperm {

/// Returns the integers 0 to n - 1 in random order, as i64 unless `dtype` is given.
/// [randperm.C1] n is not negative.
/// [randperm.C2] n - 1 is representable in the dtype. For a float dtype, all smaller integers are representable too.
inline constexpr TypedSchema kRandperm{
    "aten::randperm(SymInt n, *, ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None) "
    "-> Tensor"};
inline constexpr Schema kWithGenerator{
    "aten::randperm.generator(SymInt n, *, Generator? generator, ScalarType? dtype=4, Layout? layout=None, Device? "
    "device=None, bool? pin_memory=None) -> Tensor"};
inline constexpr Schemas kEach{kRandperm, kWithGenerator};

}  // namespace ersatz::op_randperm
