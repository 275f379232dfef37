// multinomial: draws categories according to their weights.
#pragma once

#include "runtime/op/typed_schema.h"
#include "runtime/op/value.h"
#include "typed/random/multinomial.h"

namespace ersatz::op_multinomial {

/// Returns `num_samples` indices of categories for each row of weights, as a row-major i64 tensor. Without
/// `replacement`, each category is drawn at most once, and a category of weight zero only if no other category is left.
/// [multinomial.C1] self has one or two dims, and a float dtype;
/// [multinomial.C2] num_samples is positive, and without replacement at most the number of categories;
/// [multinomial.C3] there are at most 2^24 categories;
/// [multinomial.C4] `out` is i64 and on the device of self.
/// Values: weights are finite and not negative, and no row is all zero.
inline constexpr TypedSchema kMultinomial{
    "aten::multinomial(Tensor self, SymInt num_samples, bool replacement=False, *, Generator? generator=None) -> "
    "Tensor"};

}  // namespace ersatz::op_multinomial
