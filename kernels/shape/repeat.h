// `repeat` and `tile`: several copies of a tensor along its dims.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/repeat.h"

namespace ersatz::op_repeat {

/// Returns a row-major tensor with `repeats[d]` copies along dim d. If `repeats` is longer than the rank, the
/// additional repeats on the left are for new dims.
/// [repeat.C1] there are at least as many repeats as dims.
/// [repeat.C2] no repeat is negative, except for a dim of size 0.
inline constexpr TypedSchema kRepeat{"aten::repeat(Tensor self, SymInt[] repeats) -> Tensor"};
/// Works like `repeat`. If there are fewer repeats than dims, the missing repeats on the left are 1.
inline constexpr TypedSchema kTile{"aten::tile(Tensor self, SymInt[] dims) -> Tensor"};

}  // namespace ersatz::op_repeat
