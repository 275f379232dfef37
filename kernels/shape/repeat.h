// A tensor several times along its dims: `repeat`, `tile`.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/repeat.h"

namespace ersatz::op_repeat {

/// `repeats[d]` copies side by side along each dim, in a row-major tensor; more repeats than dims add dims in front.
/// [repeat.C1] a repeat for each dim at least.
/// [repeat.C2] none negative, but of a dim of size 0.
inline constexpr TypedSchema kRepeat{"aten::repeat(Tensor self, SymInt[] repeats) -> Tensor"};
/// `repeat` with ones in front where there are fewer repeats than dims.
inline constexpr TypedSchema kTile{"aten::tile(Tensor self, SymInt[] dims) -> Tensor"};

}  // namespace ersatz::op_repeat
