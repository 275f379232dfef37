// `repeat`, `tile`: copies of a tensor along its dims.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/repeat.h"

namespace ersatz::op_repeat {

/// Returns a row-major tensor with `repeats[d]` copies along each dim. Additional repeats are for new dims on the left.
/// [repeat.C1] there are at least as many repeats as dims.
/// [repeat.C2] no repeat is negative, except for a dim of size 0.
inline constexpr TypedSchema kRepeat{"aten::repeat(Tensor self, SymInt[] repeats) -> Tensor"};
/// `repeat`, with ones added on the left if there are fewer repeats than dims.
inline constexpr TypedSchema kTile{"aten::tile(Tensor self, SymInt[] dims) -> Tensor"};

}  // namespace ersatz::op_repeat
