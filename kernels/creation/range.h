// `range`: returns evenly spaced numbers, both ends included.
//
// Returns start, start + step, ... up to and including `end`, by default in the context's default dtype. An integer
// dtype truncates start, end and step first.
//
// [range.C1] step is not 0.
// [range.C2] start, end and step are finite.
// [range.C3] step leads from start towards end.
// [range.C4] start, end and step are real.
#pragma once

#include "kernels/creation/factory_options.h"
#include "runtime/op/schema_literal.h"

namespace ersatz::op_range {

inline constexpr Schema kRange{
    "aten::range(Scalar start, Scalar end, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
    "pin_memory=None) -> Tensor"};
inline constexpr Schema kStepped{
    "aten::range.step(Scalar start, Scalar end, Scalar step=1, *, ScalarType? dtype=None, Layout? layout=None, Device? "
    "device=None, bool? pin_memory=None) -> Tensor"};
inline constexpr Schemas kEach{kRange, kStepped};

}  // namespace ersatz::op_range
