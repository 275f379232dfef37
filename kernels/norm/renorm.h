// `renorm` scales slices of a tensor down to a maximal norm.
#pragma once

#include "runtime/op/typed_schema.h"
#include "runtime/op/value.h"
#include "typed/norm/renorm.h"

namespace ersatz::op_renorm {

/// Each slice along `dim` whose `p`-norm is above `maxnorm` is scaled so that its norm is `maxnorm`. The result is
/// row-major. Norms of f16 and bf16 are computed in f32.
/// [renorm.C1] p is real and positive.
/// [renorm.C2] maxnorm is real and not negative.
/// [renorm.C3] self has at least two dims.
/// [renorm.C4] an `out` argument has self's dtype.
inline constexpr TypedSchema kRenorm{"aten::renorm(Tensor self, Scalar p, int dim, Scalar maxnorm) -> Tensor"};
inline constexpr TypedSchema kRenormInplace{
    "aten::renorm_(Tensor(a!) self, Scalar p, int dim, Scalar maxnorm) -> Tensor(a!)"};
inline constexpr Schemas kEach{kRenorm, kRenormInplace};

}  // namespace ersatz::op_renorm
