// The outer product of two vectors.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/linalg/outer.h"

namespace ersatz::op_outer {

/// Element [i, j] is self[i] * vec2[j], in the dtype to which `mul` promotes self and vec2. The result is row-major.
/// [outer.C1] `self` has one dim.
/// [outer.C2] `vec2` has one dim.
/// The errors of `outer.out` have these labels too. `ger`, an older name of `outer`, has the labels `ger.C1` and
/// `ger.C2`.
inline constexpr TypedSchema kOuter{"aten::outer(Tensor self, Tensor vec2) -> Tensor"};
inline constexpr TypedSchema kGer{"aten::ger(Tensor self, Tensor vec2) -> Tensor"};
inline constexpr Schema kOuterOut{"aten::outer.out(Tensor self, Tensor vec2, *, Tensor(a!) out) -> Tensor(a!)"};
inline constexpr Schema kGerOut{"aten::ger.out(Tensor self, Tensor vec2, *, Tensor(a!) out) -> Tensor(a!)"};

}  // namespace ersatz::op_outer
