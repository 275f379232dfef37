// `linspace`: evenly spaced numbers between two ends; `logspace`: powers with these exponents.
#pragma once

#include "kernels/creation/factory_options.h"
#include "runtime/op/kernel.h"
#include "runtime/op/typed_schema.h"
#include "runtime/op/value.h"
#include "runtime/tensor/tensor.h"
#include "typed/creation/linspace.h"

namespace ersatz::op_linspace {

/// `steps` numbers from start to end, both included. The default dtype is the context's, or complex if an end is
/// complex. Integers are computed in double and truncated. Ends may be 0-d tensors.
/// [linspace.C1] steps >= 0.
/// [linspace.C2] complex ends require a complex dtype.
/// [linspace.C3] the ends fit the dtype.
/// [linspace.C4] ends that are tensors are 0-d.
inline constexpr TypedSchema kLinspace{
    "aten::linspace{}({} start, {} end, int steps, *, ScalarType? dtype=None, Layout? layout=None, Device? "
    "device=None, bool? pin_memory=None) -> Tensor",
    "|Scalar|Scalar"};
/// base to the power of the numbers of linspace.
/// [logspace.C1] [logspace.C2] [logspace.C3] [logspace.C4] as `linspace`.
inline constexpr TypedSchema kLogspace{
    "aten::logspace{}({} start, {} end, int steps, float base=10., *, ScalarType? dtype=None, Layout? layout=None, "
    "Device? device=None, bool? pin_memory=None) -> Tensor",
    "|Scalar|Scalar"};
inline constexpr Schemas kEach{kLinspace, kLogspace};

Kernel linspace_cpu, logspace_cpu;

}  // namespace ersatz::op_linspace
