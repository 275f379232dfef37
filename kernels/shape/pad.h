// `constant_pad_nd` and `pad`: add elements at the ends of dims, or remove elements if a number is negative.
#pragma once

#include "runtime/op/typed_schema.h"
#include "runtime/op/value.h"
#include "typed/shape/pad.h"

namespace ersatz::op_pad {

/// `pad` has pairs (before, after): the first pair is for the last dim, the next one for the dim before it, and so on.
/// New elements are `value`. The result has the memory format that self's strides suggest. If no number is positive,
/// the result is a clone of the slice that remains.
/// [constant_pad_nd.C1] pad consists of pairs, at most one for each dim.
/// [constant_pad_nd.C2] the size of no dim becomes negative.
/// [constant_pad_nd.C3] if elements are added, `value` fits the dtype.
inline constexpr TypedSchema kConstantPadNd{
    "aten::constant_pad_nd(Tensor self, SymInt[] pad, Scalar value=0) -> Tensor"};
/// `mode` is "constant", "reflect", "replicate" or "circular". Modes "reflect" and "replicate" call reflection_pad1d to
/// 3d and replication_pad1d to 3d. All modes except "constant" pad the last one, two or three dims of an image or image
/// batch.
/// [pad.C1] the mode exists, and the number of pairs fits the rank (NotImplementedError).
/// [pad.C2] pad consists of pairs, at most one for each dim.
/// [pad.C3] a value is given in constant mode only.
/// [pad.C4] circular: padding is at most the dim's size, and the size of no dim becomes negative.
inline constexpr TypedSchema kPad{
    "aten::pad(Tensor self, SymInt[] pad, str mode=\"constant\", float? value=None) -> Tensor"};

}  // namespace ersatz::op_pad
