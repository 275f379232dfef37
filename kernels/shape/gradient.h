// Numeric derivatives of samples: `gradient`.
#pragma once

#include "runtime/op/schema_literal.h"

namespace ersatz::op_gradient {

/// For each dim asked for (all, where none is named) a tensor like `self`: the derivative along it, by central
/// differences inside and one-sided ones of order `edge_order` at both ends. `spacing` is the distance of samples, one
/// for all dims or one for each, or for each dim the places where they were taken.
/// [gradient.C1] no bytes;
/// [gradient.C2] a spacing for each dim;
/// [gradient.C3] an edge order of 1 or 2;
/// [gradient.C4] no dim twice;
/// [gradient.C5] along each dim more samples than the edge order;
/// [gradient.C6] places are vectors;
/// [gradient.C7] on the device of self.
inline constexpr Schema kGradientInt{
    "aten::gradient.scalarint(Tensor self, *, Scalar? spacing=None, int? dim=None, int edge_order=1) -> Tensor[]"};
inline constexpr Schema kGradientArray{"aten::gradient.array(Tensor self, *, int[] dim, int edge_order=1) -> Tensor[]"};
inline constexpr Schema kGradientSpaced{
    "aten::gradient.{}(Tensor self, *, {} spacing, {}, int edge_order=1) -> Tensor[]"};

}  // namespace ersatz::op_gradient
