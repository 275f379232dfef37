// Numbers of the gamma and Poisson distributions, which are drawn by rejection: poisson, _standard_gamma,
// _sample_dirichlet. An element takes as many random words as it needs (docs/random.md).
//
// The result is row-major. Parameters and results have a floating dtype, of gamma and Dirichlet numbers f32 or f64 on
// the CPU. Gamma numbers, and so Dirichlet's, are at least the least normal number of the dtype; that they are, too,
// where the parameter is not positive. Values: Poisson's rates are not negative (runtime error).
//
// Sources: Marsaglia and Tsang, "A simple method for generating gamma variables" (2000); Hoermann, "The transformed
// rejection method for generating Poisson random variables" (1993).
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

}  // namespace ersatz::op_rejection
