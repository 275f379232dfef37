// Dims made larger, or smaller with negative numbers: `constant_pad_nd`, and `pad`, which names the way.
#pragma once

#include "runtime/op/typed_schema.h"
#include "runtime/op/value.h"
#include "typed/shape/pad.h"

namespace ersatz::op_pad {

/// `pad` holds pairs (before, after) of the last dim, then of the one before it, and so on; new elements are `value`.
/// The result has the memory format that the input looks like; where nothing is added it is a clone of the part that
/// stays.
/// [constant_pad_nd.C1] pairs, not more of them than dims.
/// [constant_pad_nd.C2] no dim loses more than it has.
/// [constant_pad_nd.C3] a value that fits the dtype, where it is needed.
inline constexpr TypedSchema kConstantPadNd{
    "aten::constant_pad_nd(Tensor self, SymInt[] pad, Scalar value=0) -> Tensor"};
/// `mode` is "constant", "reflect", "replicate" or "circular". All but the first pad the last one to three dims of an
/// image or a batch of images: reflection_pad1d to 3d, replication_pad1d to 3d.
/// [pad.C1] a mode that there is, and a number of pairs that fits the rank (not implemented).
/// [pad.C2] pairs, not more of them than dims.
/// [pad.C3] a value in constant mode only.
/// [pad.C4] circular: nothing wraps around more than once, nothing becomes smaller than empty.
inline constexpr TypedSchema kPad{
    "aten::pad(Tensor self, SymInt[] pad, str mode=\"constant\", float? value=None) -> Tensor"};

}  // namespace ersatz::op_pad
