// Numbers of the gamma, Poisson and binomial distributions, drawn by rejection: poisson, _standard_gamma,
// _sample_dirichlet, binomial. An element uses as many random words as it needs (docs/random.md).
//
// The result is row-major. A binomial result whose sizes differ from count's has the strides of an elementwise result.
// Parameters and results have a float dtype. On the CPU it is f32 or f64, except for Poisson numbers. Gamma numbers,
// and therefore Dirichlet's, are at least the smallest normal number of the dtype; they have this value if the
// parameter is not positive. Values: the rates of poisson are not negative (else RuntimeError).
//
// [binomial.C1] count and prob have one dtype.
// [binomial.C2] the sizes of count and prob broadcast.
// [binomial.C3] count and prob are floats (else ValueError).
//
// Sources: Marsaglia and Tsang, "A simple method for generating gamma variables" (2000); Hoermann, "The transformed
// rejection method for generating Poisson random variables" (1993) and "The generation of binomial random variates"
// (1993).
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/random/rejection.h"

namespace ersatz::op_rejection {

/// Draws the number of events if `self` events are expected (Poisson distribution).
inline constexpr TypedSchema kPoisson{"aten::poisson(Tensor self, Generator? generator=None) -> Tensor"};
/// Draws gamma numbers of shape `self` and scale 1.
inline constexpr TypedSchema kGamma{"aten::_standard_gamma(Tensor self, Generator? generator=None) -> Tensor"};
/// Draws gamma numbers of shape `self` and divides them by their sum over the last dim.
inline constexpr TypedSchema kDirichlet{"aten::_sample_dirichlet(Tensor self, Generator? generator=None) -> Tensor"};
inline constexpr Schemas kEach{kPoisson, kGamma, kDirichlet};
/// Draws the number of successes in `count` trials (rounded down) with probability `prob` each. The number is 0 if
/// count or prob is not positive, and count if prob is at least 1. For prob > 1/2, it is count (not rounded) minus the
/// number of failures.
inline constexpr TypedSchema kBinomial{
    "aten::binomial(Tensor count, Tensor prob, Generator? generator=None) -> Tensor"};

}  // namespace ersatz::op_rejection
