// Numbers at equal steps between two ends: `linspace`, and powers with such exponents: `logspace`.
#pragma once

#include "kernels/creation/factory_options.h"
#include "runtime/op/kernel.h"
#include "runtime/op/typed_schema.h"
#include "runtime/op/value.h"
#include "runtime/tensor/tensor.h"
#include "typed/creation/linspace.h"

namespace ersatz::op_linspace {

/// `steps` numbers from start to end, both included. The dtype, unless given, is the default one, complex if an end is.
/// Integers are computed in double and truncated. Ends may be 0-d tensors.
/// [linspace.C1] steps >= 0.
/// [linspace.C2] a complex dtype for complex ends.
/// [linspace.C3] ends that fit the dtype.
/// [linspace.C4] tensors without dims.
inline constexpr TypedSchema kLinspace{
    "aten::linspace{}({} start, {} end, int steps, *, ScalarType? dtype=None, Layout? layout=None, Device? "
    "device=None, bool? pin_memory=None) -> Tensor",
    "|Scalar|Scalar"};
/// base to the power of those numbers.
/// [logspace.C1] [logspace.C2] [logspace.C3] [logspace.C4] as `linspace`.
inline constexpr TypedSchema kLogspace{
    "aten::logspace{}({} start, {} end, int steps, float base=10., *, ScalarType? dtype=None, Layout? layout=None, "
    "Device? device=None, bool? pin_memory=None) -> Tensor",
    "|Scalar|Scalar"};
inline constexpr Schemas kEach{kLinspace, kLogspace};

Kernel linspace_cpu, logspace_cpu;

}  // namespace ersatz::op_linspace
