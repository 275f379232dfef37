// Values below which a share of the elements lies: `quantile`, `nanquantile`.
#pragma once

#include "runtime/op/typed_schema.h"
#include "runtime/op/value.h"
#include "typed/sorting/quantile.h"

namespace ersatz::op_quantile {

/// The `q`-quantiles along `dim`, or of all elements. Of a vector of q the result has a first dim for them. A quantile
/// between two elements is what `interpolation` says: `linear`, `lower`, `higher`, `midpoint` or `nearest`. Where an
/// element is NaN the quantile is; `nanquantile` leaves NaNs out.
/// [quantile.C1] an element at least;
/// [quantile.C2] f32 or f64, and q the same, on the device of self;
/// [quantile.C3] q has one dim at most;
/// [quantile.C4] the name of an interpolation;
/// [quantile.C5] each q in [0, 1]; looked at on the CPU, or where it is a number;
/// [quantile.C6] at most 2^24 elements along the dim;
/// [quantile.C7] an `out` of the dtype and on the device of self.
inline constexpr TypedSchema kQuantile{
    "aten::{}(Tensor self, Tensor q, int? dim=None, bool keepdim=False, *, str interpolation=\"linear\") -> Tensor",
    "quantile", "nanquantile"};
inline constexpr TypedSchema kQuantileScalar{
    "aten::{}.scalar(Tensor self, float q, int? dim=None, bool keepdim=False, *, str interpolation=\"linear\") -> "
    "Tensor",
    "quantile", "nanquantile"};

}  // namespace ersatz::op_quantile
