// Random numbers of the exponential, geometric, Cauchy and log-normal distributions.
//
// The functional ops return a new tensor with the sizes and dtype of `self`. The in-place ops fill `self`.
//
// [exponential.C1] [geometric.C1] [cauchy.C1] [log_normal.C1]  lambd, sigma and std are positive; p is in (0, 1).
// [exponential.C2] [cauchy.C2]  the dtype is a float.
// [exponential_.C4], and C4 of the other in-place ops: no two elements of self share memory.
#pragma once

#include "runtime/op/typed_schema.h"
#include "runtime/tensor/tensor.h"
#include "typed/random/distribution.h"

namespace ersatz::op_distribution {

inline constexpr TypedSchema kExponential{
    "aten::exponential(Tensor self, float lambd=1., *, Generator? generator=None) -> Tensor", kAndInplace};
/// Draws the number of trials up to the first success with probability p. Integer dtypes are accepted too.
inline constexpr TypedSchema kGeometric{"aten::geometric(Tensor self, float p, *, Generator? generator=None) -> Tensor",
                                        kAndInplace};
inline constexpr TypedSchema kCauchy{
    "aten::cauchy(Tensor self, float median=0., float sigma=1., *, Generator? generator=None) -> Tensor", kAndInplace};
/// Draws e to the power of a normal number.
inline constexpr TypedSchema kLogNormal{
    "aten::log_normal(Tensor self, float mean=1., float std=2., *, Generator? generator=None) -> Tensor", kAndInplace};
inline constexpr Schemas kEach{kExponential, kGeometric, kCauchy, kLogNormal};

}  // namespace ersatz::op_distribution
