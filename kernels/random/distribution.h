// Numbers of the exponential, geometric, Cauchy and log-normal distributions.
//
// Of a tensor they take sizes, dtype and layout; the in-place forms fill it.
//
// [exponential.C1] [geometric.C1] [cauchy.C1] [log_normal.C1]  lambd, sigma and std > 0; p in (0, 1).
// [exponential.C2] [cauchy.C2]  a floating dtype.
// [exponential_.C4] and so on   no two elements of self share memory.
#pragma once

#include "runtime/op/typed_schema.h"
#include "runtime/tensor/tensor.h"
#include "typed/random/distribution.h"

namespace ersatz::op_distribution {

inline constexpr TypedSchema kExponential{
    "aten::exponential(Tensor self, float lambd=1., *, Generator? generator=None) -> Tensor", kAndInplace};
/// Trials up to the first success of probability p; integers too.
inline constexpr TypedSchema kGeometric{"aten::geometric(Tensor self, float p, *, Generator? generator=None) -> Tensor",
                                        kAndInplace};
inline constexpr TypedSchema kCauchy{
    "aten::cauchy(Tensor self, float median=0., float sigma=1., *, Generator? generator=None) -> Tensor", kAndInplace};
/// e to the power of normal numbers.
inline constexpr TypedSchema kLogNormal{
    "aten::log_normal(Tensor self, float mean=1., float std=2., *, Generator? generator=None) -> Tensor", kAndInplace};
inline constexpr Schemas kEach{kExponential, kGeometric, kCauchy, kLogNormal};

}  // namespace ersatz::op_distribution
