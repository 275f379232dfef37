// Covariances of variables, the rows of a matrix whose columns are observations, and their correlations.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/reduction/covariance.h"

namespace ersatz::op_covariance {

/// [variables, variables], without dims of size 1; self of one dim at most is one variable. Observations count
/// `fweights` times, and with `aweights`; the divisor is the sum of weights less `correction` of them, 0 at least.
/// [cov.C1] at most two dims; no bool.
/// [cov.C2] fweights: integers in one dim at most, one an observation.
/// [cov.C3] aweights: floats in one dim at most, one an observation.
/// [cov.value] weights are not negative, and do not add up to 0.
inline constexpr TypedSchema kCov{
    "aten::cov(Tensor self, *, int correction=1, Tensor? fweights=None, Tensor? aweights=None) -> Tensor"};
/// Covariances over the deviations of both variables, between -1 and 1.
/// [corrcoef.C1] at most two dims.
inline constexpr TypedSchema kCorrcoef{"aten::corrcoef(Tensor self) -> Tensor"};

}  // namespace ersatz::op_covariance
