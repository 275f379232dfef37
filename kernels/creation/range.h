// Evenly spaced numbers with both ends: `range`.
//
// start, start + step, ... up to `end`, of the default dtype unless given; an integer dtype truncates all three first.
//
// [range.C1] a step that is not 0.
// [range.C2] finite numbers.
// [range.C3] a step from start towards end.
// [range.C4] real numbers.
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
