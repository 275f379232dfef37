// diff: differences of adjacent elements along a dim.
//
// diff(self, n, dim, prepend, append): replaces self n times by self[i + 1] - self[i], or by self[i + 1] != self[i] for
// bools. `prepend` and `append` are joined to self first. A dim of size s gets size max(s - n, 0).
//
// [diff.C1] self is not 0-d.
// [diff.C2] n is not negative.
// [diff.C3] `prepend` and `append` have self's rank, and self's sizes except in dim.
// Source: ATen op diff.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/diff.h"

namespace ersatz::op_diff {

inline constexpr TypedSchema kDiff{
    "aten::diff(Tensor self, int n=1, int dim=-1, Tensor? prepend=None, Tensor? append=None) -> Tensor"};

}  // namespace ersatz::op_diff
