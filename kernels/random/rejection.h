// Numbers of the gamma, Poisson and binomial distributions, which are drawn by rejection: poisson, _standard_gamma,
// _sample_dirichlet, binomial. An element takes as many random words as it needs (docs/random.md).
//
// The result is row-major, of binomial numbers where it has the sizes of count, else with the strides of elementwise
// results. Parameters and results have a floating dtype, f32 or f64 on the CPU but of Poisson
// numbers. Gamma numbers, and so Dirichlet's, are at least the least normal number of the dtype; that they are, too,
// where the parameter is not positive. Values: Poisson's rates are not negative (runtime error).
//
// [binomial.C1] count and prob have one dtype.
// [binomial.C2] their sizes broadcast.
// [binomial.C3] they are floats (ValueError).
//
// Sources: Marsaglia and Tsang, "A simple method for generating gamma variables" (2000); Hoermann, "The transformed
// rejection method for generating Poisson random variables" (1993) and "The generation of binomial random variates"
// (1993).
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/random/rejection.h"

namespace ersatz::op_rejection {

/// As many events as happen where `self` are expected.
inline constexpr TypedSchema kPoisson{"aten::poisson(Tensor self, Generator? generator=None) -> Tensor"};
/// Of shape `self` and scale 1.
inline constexpr TypedSchema kGamma{"aten::_standard_gamma(Tensor self, Generator? generator=None) -> Tensor"};
/// Gamma numbers, divided by their sum over the last dim.
inline constexpr TypedSchema kDirichlet{"aten::_sample_dirichlet(Tensor self, Generator? generator=None) -> Tensor"};
inline constexpr Schemas kEach{kPoisson, kGamma, kDirichlet};
/// How many of `count` trials, rounded down, succeed with probability `prob` each. 0 where count or prob is not
/// positive, count where prob is 1 or more; with a prob above 1/2 count less the failures, of a count that is no whole
/// number too.
inline constexpr TypedSchema kBinomial{
    "aten::binomial(Tensor count, Tensor prob, Generator? generator=None) -> Tensor"};

}  // namespace ersatz::op_rejection
