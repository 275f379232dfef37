// gradient: numeric derivatives of samples.
#pragma once

#include "runtime/op/schema_literal.h"

namespace ersatz::op_gradient {

/// Returns for each dim (by default all) a tensor like `self`: the derivative along that dim. It uses central
/// differences inside and one-sided differences of order `edge_order` at both ends. `spacing` is the distance of
/// samples, one for all dims or one for each, or the places of the samples for each dim.
/// [gradient.C1] self is not u8;
/// [gradient.C2] there is a spacing for each dim;
/// [gradient.C3] the edge order is 1 or 2;
/// [gradient.C4] no dim is repeated;
/// [gradient.C5] each dim has more samples than the edge order;
/// [gradient.C6] places are vectors;
/// [gradient.C7] places are on the device of self.
inline constexpr Schema kGradientInt{
    "aten::gradient.scalarint(Tensor self, *, Scalar? spacing=None, int? dim=None, int edge_order=1) -> Tensor[]"};
inline constexpr Schema kGradientArray{"aten::gradient.array(Tensor self, *, int[] dim, int edge_order=1) -> Tensor[]"};
inline constexpr Schema kGradientSpaced{
    "aten::gradient.{}(Tensor self, *, {} spacing, {}, int edge_order=1) -> Tensor[]"};

}  // namespace ersatz::op_gradient
