// Numbers of the exponential, geometric, Cauchy and log-normal distributions.
//
// Of a tensor they take sizes, dtype and layout; the in-place forms fill it.
//
// [exponential.C1] [geometric.C1] [cauchy.C1] [log_normal.C1]  lambd, sigma and std > 0; p in (0, 1).
// [exponential.C2] [cauchy.C2]  a floating dtype.
// [exponential_.C4] and so on   no two elements of self share memory.
#pragma once

#include "runtime/op/schema_literal.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::op_distribution {

inline constexpr Schema kExponential{
    "aten::exponential(Tensor self, float lambd=1., *, Generator? generator=None) -> Tensor"};
inline constexpr Schema kGeometric{"aten::geometric(Tensor self, float p, *, Generator? generator=None) -> Tensor"};
inline constexpr Schema kCauchy{
    "aten::cauchy(Tensor self, float median=0., float sigma=1., *, Generator? generator=None) -> Tensor"};
inline constexpr Schema kLogNormal{
    "aten::log_normal(Tensor self, float mean=1., float std=2., *, Generator? generator=None) -> Tensor"};
inline constexpr Schemas kEach{kExponential, kGeometric, kCauchy, kLogNormal};

}  // namespace ersatz::op_distribution

namespace ersatz::ops {

Tensor exponential_(const Tensor& self, double lambd = 1);
/// Trials up to the first success of probability p; integers too.
Tensor geometric_(const Tensor& self, double p);
Tensor cauchy_(const Tensor& self, double median = 0, double sigma = 1);
/// e to the power of normal numbers.
Tensor log_normal_(const Tensor& self, double mean = 1, double std = 2);

}  // namespace ersatz::ops
