// torch.gradient: numeric derivatives of sampled functions.
#pragma once

#include "runtime/op/schema_literal.h"

namespace ersatz::op_gradient {

/// Returns a list with the derivative of self along each dim of `dim` (by default all dims). Inner samples use central
/// differences, both ends one-sided differences of order `edge_order`. `spacing` is the distance of adjacent samples:
/// one number for all dims, or one for each dim. If `spacing` is a list of tensors, they have the coordinates of the
/// samples.
/// [gradient.C1] self is not u8.
/// [gradient.C2] a list `spacing` has one entry for each dim.
/// [gradient.C3] the edge order is 1 or 2.
/// [gradient.C4] no dim is repeated.
/// [gradient.C5] each dim has more samples than the edge order.
/// [gradient.C6] tensors of coordinates are vectors.
/// [gradient.C7] tensors of coordinates are on the device of self.
inline constexpr Schema kGradientInt{
    "aten::gradient.scalarint(Tensor self, *, Scalar? spacing=None, int? dim=None, int edge_order=1) -> Tensor[]"};
inline constexpr Schema kGradientArray{"aten::gradient.array(Tensor self, *, int[] dim, int edge_order=1) -> Tensor[]"};
inline constexpr Schema kGradientSpaced{
    "aten::gradient.{}(Tensor self, *, {} spacing, {}, int edge_order=1) -> Tensor[]"};

}  // namespace ersatz::op_gradient
