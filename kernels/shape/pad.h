// Padding of dims, or cropping by negative numbers: `constant_pad_nd`, and `pad` with its modes.
#pragma once

#include "runtime/op/typed_schema.h"
#include "runtime/op/value.h"
#include "typed/shape/pad.h"

namespace ersatz::op_pad {

/// `pad` has pairs (before, after) for the last dim, then for the one before it, and so on. New elements are `value`.
/// The result has the memory format that the input's strides suggest. If nothing is added, it is a clone of the part
/// that remains.
/// [constant_pad_nd.C1] pad consists of pairs, at most one for each dim.
/// [constant_pad_nd.C2] no dim's size becomes negative.
/// [constant_pad_nd.C3] the value fits the dtype, if elements are added.
inline constexpr TypedSchema kConstantPadNd{
    "aten::constant_pad_nd(Tensor self, SymInt[] pad, Scalar value=0) -> Tensor"};
/// `mode` is "constant", "reflect", "replicate" or "circular". Modes other than "constant" pad the last one to three
/// dims of an image or a batch of images, by reflection_pad1d to 3d and replication_pad1d to 3d.
/// [pad.C1] the mode exists, and the number of pairs fits the rank (NotImplementedError).
/// [pad.C2] pad consists of pairs, at most one for each dim.
/// [pad.C3] a value is given in constant mode only.
/// [pad.C4] circular: padding is at most the dim's size, and no size becomes negative.
inline constexpr TypedSchema kPad{
    "aten::pad(Tensor self, SymInt[] pad, str mode=\"constant\", float? value=None) -> Tensor"};

}  // namespace ersatz::op_pad
