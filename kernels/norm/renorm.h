// Slices whose norms are brought down to a limit: `renorm`.
#pragma once

#include "runtime/op/typed_schema.h"
#include "runtime/op/value.h"
#include "typed/norm/renorm.h"

namespace ersatz::op_renorm {

/// Each slice along `dim` whose `p`-norm is above `maxnorm` is scaled to that norm. Row-major. Norms of f16 and bf16
/// are taken in f32.
/// [renorm.C1] a positive real p;
/// [renorm.C2] a real maxnorm of 0 at least;
/// [renorm.C3] two dims at least;
/// [renorm.C4] an `out` of self's dtype.
inline constexpr TypedSchema kRenorm{"aten::renorm(Tensor self, Scalar p, int dim, Scalar maxnorm) -> Tensor"};
inline constexpr TypedSchema kRenormInplace{
    "aten::renorm_(Tensor(a!) self, Scalar p, int dim, Scalar maxnorm) -> Tensor(a!)"};
inline constexpr Schemas kEach{kRenorm, kRenormInplace};

}  // namespace ersatz::op_renorm
