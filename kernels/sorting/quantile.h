// `quantile`, `nanquantile`: return the values below which a given share of the elements is.
#pragma once

#include "runtime/op/typed_schema.h"
#include "runtime/op/value.h"
#include "typed/sorting/quantile.h"

namespace ersatz::op_quantile {

/// Returns the `q`-quantiles along `dim`, or of all elements. For a vector q, the result has a new first dim with the
/// size of q. If a quantile is between two elements, `interpolation` decides: `linear`, `lower`, `higher`, `midpoint`
/// or `nearest`. If an element is NaN, the quantile is NaN; `nanquantile` ignores NaNs.
/// [quantile.C1] there is at least one element;
/// [quantile.C2] self is f32 or f64, and q has its dtype and device;
/// [quantile.C3] q has at most one dim;
/// [quantile.C4] interpolation is one of the five names;
/// [quantile.C5] each q is in [0, 1]; a tensor q is checked only on the CPU;
/// [quantile.C6] the dim has at most 2^24 elements;
/// [quantile.C7] `out` has the dtype and device of self.
inline constexpr TypedSchema kQuantile{
    "aten::{}(Tensor self, Tensor q, int? dim=None, bool keepdim=False, *, str interpolation=\"linear\") -> Tensor",
    "quantile", "nanquantile"};
inline constexpr TypedSchema kQuantileScalar{
    "aten::{}.scalar(Tensor self, float q, int? dim=None, bool keepdim=False, *, str interpolation=\"linear\") -> "
    "Tensor",
    "quantile", "nanquantile"};

}  // namespace ersatz::op_quantile
