// Evenly spaced numbers: `arange`.
#pragma once

#include "kernels/creation/factory_options.h"
#include "runtime/op/typed_schema.h"
#include "runtime/op/value.h"
#include "typed/creation/arange.h"

namespace ersatz::op_arange {

inline constexpr TypedSchema kArange{
    "aten::arange(Scalar end, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
    "pin_memory=None) -> Tensor"};
inline constexpr Schema kArangeStart{
    "aten::arange.start(Scalar start, Scalar end, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
    "bool? pin_memory=None) -> Tensor"};
/// Returns start, start + step, ... up to but excluding `end`. The default dtype is i64 for ints, else the context's
/// default dtype. An integer `dtype` truncates start and step, but the number of elements is computed from the values
/// before truncation.
/// [arange.C1] step is not 0.
/// [arange.C2] start, end and step are finite.
/// [arange.C3] step leads from start towards end.
/// [arange.C4] start, end and step are real and fit the dtype.
inline constexpr TypedSchema kArangeStartStep{
    "aten::arange.start_step(Scalar start, Scalar end, Scalar step=1, *, ScalarType? dtype=None, Layout? layout=None, "
    "Device? device=None, bool? pin_memory=None) -> Tensor"};
/// the schema of arange.start_step and of its `out=` overload
inline constexpr const Schema& kStepped = kArangeStartStep;

}  // namespace ersatz::op_arange
