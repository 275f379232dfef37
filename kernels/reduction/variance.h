// var, std, var_mean, std_mean: variance or standard deviation, over all elements or over dims.
//
// Constraints, which std, var_mean and std_mean have under their own names
// [var.C1] dims are in range, each named once. If the overload has an argument for dims, the input has at most 64 dims.
// [var.C2] the correction is a real number.
//
// Inputs are floats or complex (NotSupported otherwise); the variance of complex numbers is real. The divisor is the
// number of elements minus `correction`, which is 1 by default, and 0 with `unbiased=False`. The result is row-major.
#pragma once

#include <optional>

#include "runtime/op/typed_schema.h"
#include "runtime/op/value.h"
#include "typed/reduction/variance.h"

namespace ersatz::op_variance {

inline constexpr Schema kVariance{"aten::{}(Tensor self, bool unbiased=True) -> {}"};
inline constexpr Schema kVarianceDim{
    "aten::{}.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> {}"};
inline constexpr TypedSchema kVarianceCorrection{
    "aten::{}.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) -> {}",
    "var|Tensor", "std|Tensor"};
inline constexpr Schemas kEach{kVariance, kVarianceDim, kVarianceCorrection};

}  // namespace ersatz::op_variance
