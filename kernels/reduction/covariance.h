// Covariances and correlations of variables. The rows of the input matrix are variables, its columns are observations.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/reduction/covariance.h"

namespace ersatz::op_covariance {

/// Returns [variables, variables], or a 0-d tensor for one variable. A self of at most one dim is one variable. Each
/// observation is weighted by fweights * aweights. The divisor is the sum of the weights minus `correction`, at least
/// 0; with aweights, `correction` is multiplied by their weighted mean.
/// [cov.C1] self has at most two dims and is not bool.
/// [cov.C2] fweights has at most one dim, with an integer for each observation.
/// [cov.C3] aweights has at most one dim, with a float for each observation.
/// [cov.value] weights are not negative, and do not add up to 0.
inline constexpr TypedSchema kCov{
    "aten::cov(Tensor self, *, int correction=1, Tensor? fweights=None, Tensor? aweights=None) -> Tensor"};
/// Covariances divided by the standard deviations of both variables, clamped to [-1, 1].
/// [corrcoef.C1] self has at most two dims.
inline constexpr TypedSchema kCorrcoef{"aten::corrcoef(Tensor self) -> Tensor"};

}  // namespace ersatz::op_covariance
