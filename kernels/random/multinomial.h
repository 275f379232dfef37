// Draws of categories by their weights: `multinomial`.
#pragma once

#include "runtime/op/typed_schema.h"
#include "runtime/op/value.h"
#include "typed/random/multinomial.h"

namespace ersatz::op_multinomial {

/// `num_samples` positions of each row of weights, drawn with or without `replacement`: i64, row-major. Without, a
/// category of weight zero is drawn only where no other is left.
/// [multinomial.C1] one or two dims, of floats;
/// [multinomial.C2] a sample at least, without replacement no more than there are categories;
/// [multinomial.C3] at most 2^24 categories;
/// [multinomial.C4] an `out` of i64 on the device of self.
/// Weights are finite and not negative, and of no row all zero, which is seen from values.
inline constexpr TypedSchema kMultinomial{
    "aten::multinomial(Tensor self, SymInt num_samples, bool replacement=False, *, Generator? generator=None) -> "
    "Tensor"};

}  // namespace ersatz::op_multinomial
