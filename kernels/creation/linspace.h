// `linspace` returns evenly spaced numbers between two ends; `logspace` returns powers with these numbers as exponents.
#pragma once

#include "kernels/creation/factory_options.h"
#include "runtime/op/kernel.h"
#include "runtime/op/typed_schema.h"
#include "runtime/op/value.h"
#include "runtime/tensor/tensor.h"
#include "typed/creation/linspace.h"

namespace ersatz::op_linspace {

/// Returns `steps` numbers from start to end, which are both included. The default dtype is the context's, or complex
/// if start or end is complex. Integers are computed in double and truncated. Start and end may be 0-d tensors.
/// [linspace.C1] steps is not negative.
/// [linspace.C2] if start or end is complex, the dtype is complex.
/// [linspace.C3] start and end fit the dtype.
/// [linspace.C4] start and end are 0-d if they are tensors.
inline constexpr TypedSchema kLinspace{
    "aten::linspace{}({} start, {} end, int steps, *, ScalarType? dtype=None, Layout? layout=None, Device? "
    "device=None, bool? pin_memory=None) -> Tensor",
    "|Scalar|Scalar"};
/// Returns base to the power of each number of linspace.
/// [logspace.C1] [logspace.C2] [logspace.C3] [logspace.C4] are those of `linspace`.
inline constexpr TypedSchema kLogspace{
    "aten::logspace{}({} start, {} end, int steps, float base=10., *, ScalarType? dtype=None, Layout? layout=None, "
    "Device? device=None, bool? pin_memory=None) -> Tensor",
    "|Scalar|Scalar"};
inline constexpr Schemas kEach{kLinspace, kLogspace};

Kernel linspace_cpu, logspace_cpu;

}  // namespace ersatz::op_linspace
