// cov and corrcoef. The rows of the input matrix are variables, its columns are observations.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/reduction/covariance.h"

namespace ersatz::op_covariance {

/// Returns the covariances [variables, variables], or a 0-d tensor for one variable. A 0-d or 1-d self is one variable.
/// Each observation has the weight fweights * aweights. The divisor is the sum of the weights minus `correction`, and
/// at least 0. If aweights are given, `correction` is multiplied by the weighted mean of aweights.
/// [cov.C1] self has at most two dims and is not bool.
/// [cov.C2] fweights has at most one dim and one integer for each observation.
/// [cov.C3] aweights has at most one dim and one float for each observation.
/// [cov.value] weights are not negative, and their sum is not 0.
inline constexpr TypedSchema kCov{
    "aten::cov(Tensor self, *, int correction=1, Tensor? fweights=None, Tensor? aweights=None) -> Tensor"};
/// Returns the covariances divided by the standard deviations of both variables, clamped to [-1, 1].
/// [corrcoef.C1] self has at most two dims.
inline constexpr TypedSchema kCorrcoef{"aten::corrcoef(Tensor self) -> Tensor"};

}  // namespace ersatz::op_covariance
