// Elements moved round: `roll`, `rot90`, `fliplr`, `flipud`.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/roll.h"

namespace ersatz::op_roll {

/// What leaves a dim at one end comes in at the other; `shifts` one for each of `dims`. Without dims the elements move
/// in row-major order. The result is row-major, or channels last where the parts that move are.
/// [roll.C1] at least one shift.
/// [roll.C2] as many shifts as dims.
/// [roll.C3] the input has dims, and elements of a tensor without dims do not move along any (index error).
inline constexpr TypedSchema kRoll{"aten::roll(Tensor self, SymInt[1] shifts, int[1] dims=[]) -> Tensor"};
/// The plane of two dims turned by k quarter turns from the first towards the second.
/// [rot90.C1] two dims, of two different dims of the input.
/// [rot90.C2] an input of two dims at least.
inline constexpr TypedSchema kRot90{"aten::rot90(Tensor self, int k=1, int[] dims=[0, 1]) -> Tensor"};
/// `flip` of dim 1.
/// [fliplr.C1] two dims at least.
inline constexpr TypedSchema kFliplr{"aten::fliplr(Tensor self) -> Tensor"};
/// `flip` of dim 0.
/// [flipud.C1] one dim at least.
inline constexpr TypedSchema kFlipud{"aten::flipud(Tensor self) -> Tensor"};

}  // namespace ersatz::op_roll
