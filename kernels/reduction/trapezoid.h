// `trapezoid`, `trapz`, `cumulative_trapezoid`: integrals by the trapezoidal rule.
#pragma once

#include "runtime/op/typed_schema.h"
#include "runtime/op/value.h"
#include "typed/reduction/trapezoid.h"

namespace ersatz::op_trapezoid {

/// Returns the integral of samples `y` along `dim`. The samples are at distance `dx`, or at coordinates `x`: a vector
/// for that dim, or a tensor that broadcasts with y. If there are no samples, the integral is zero in y's dtype.
/// `trapz` is another name for `trapezoid`. `cumulative_trapezoid` returns the integral up to each sample, except the
/// first sample.
/// [trapezoid.C1] y has dim `dim`.
/// [trapezoid.C2] no tensor is bool.
/// [trapezoid.C3] `dx` is an int or a float.
/// [trapezoid.C4] a vector `x` has one element for each sample.
inline constexpr TypedSchema kTrapezoidX{"aten::{}.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor", "trapezoid",
                                         "cumulative_trapezoid"};
inline constexpr Schema kTrapezoidDx{"aten::{}.dx(Tensor y, *, {} dx=1{}, int dim=-1) -> Tensor"};

}  // namespace ersatz::op_trapezoid
