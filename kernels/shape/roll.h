// Elements moved around: `roll`, `rot90`, `fliplr`, `flipud`.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/roll.h"

namespace ersatz::op_roll {

/// Elements that leave a dim at one end enter at the other; there is a shift for each of `dims`. Without dims, the
/// flattened elements are rolled. The result is row-major, or channels-last if the two parts are.
/// [roll.C1] there is at least one shift.
/// [roll.C2] shifts and dims have equal lengths.
/// [roll.C3] the input has dims; for a tensor without dims no dim may be named (IndexError).
inline constexpr TypedSchema kRoll{"aten::roll(Tensor self, SymInt[1] shifts, int[1] dims=[]) -> Tensor"};
/// Rotates the plane of two dims by k quarter turns, from the first dim towards the second.
/// [rot90.C1] there are two dims, which are different dims of the input.
/// [rot90.C2] the input has at least two dims.
inline constexpr TypedSchema kRot90{"aten::rot90(Tensor self, int k=1, int[] dims=[0, 1]) -> Tensor"};
/// `flip` along dim 1.
/// [fliplr.C1] the input has at least two dims.
inline constexpr TypedSchema kFliplr{"aten::fliplr(Tensor self) -> Tensor"};
/// `flip` along dim 0.
/// [flipud.C1] the input has at least one dim.
inline constexpr TypedSchema kFlipud{"aten::flipud(Tensor self) -> Tensor"};

}  // namespace ersatz::op_roll
