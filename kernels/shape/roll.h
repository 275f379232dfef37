// Ops that move elements along dims: `roll`, `rot90`, `fliplr`, `flipud`.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/roll.h"

namespace ersatz::op_roll {

/// Moves elements along each of `dims` by its shift; elements that leave at one end enter at the other. Without dims,
/// the flattened elements are rolled. The result is row-major, or channels-last if the strides of both parts of self
/// that change places suggest channels-last.
/// [roll.C1] there is at least one shift.
/// [roll.C2] shifts and dims have equal lengths.
/// [roll.C3] if self is 0-d, `dims` is empty (IndexError).
inline constexpr TypedSchema kRoll{"aten::roll(Tensor self, SymInt[1] shifts, int[1] dims=[]) -> Tensor"};
/// Rotates by k quarter turns in the plane of two dims, from the first dim towards the second.
/// [rot90.C1] `dims` has two different dims.
/// [rot90.C2] the input has at least two dims.
inline constexpr TypedSchema kRot90{"aten::rot90(Tensor self, int k=1, int[] dims=[0, 1]) -> Tensor"};
/// Calls `flip` along dim 1.
/// [fliplr.C1] the input has at least two dims.
inline constexpr TypedSchema kFliplr{"aten::fliplr(Tensor self) -> Tensor"};
/// Calls `flip` along dim 0.
/// [flipud.C1] the input has at least one dim.
inline constexpr TypedSchema kFlipud{"aten::flipud(Tensor self) -> Tensor"};

}  // namespace ersatz::op_roll
