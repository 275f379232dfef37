// `random_` and its functional variants, which fill a tensor with uniform random integers.
//
// Without bounds, the numbers are between 0 and the largest number of an integer dtype. For a float dtype, the upper
// bound is the number up to which every integer is representable. With `to`, numbers are in [0, to). With `from` and
// `to`, numbers are in [from, to); if `to` is None, the largest number of the dtype is included. Labels have the name
// of the in-place op for both variants:
//
// [random_.C1] from is less than to.
// [random_.C2] from and to - 1 are representable in the dtype.
// [random_.C4] no two elements of self share memory.
// The dtype is real or bool.
#pragma once

#include "runtime/op/schema_literal.h"

namespace ersatz::op_random {

inline constexpr Schema kRandom{"aten::random{}(Tensor{} self, *, Generator? generator=None) -> Tensor{}"};
inline constexpr Schema kRandomTo{"aten::random{}.to(Tensor{} self, int to, *, Generator? generator=None) -> Tensor{}"};
inline constexpr Schema kRandomFrom{
    "aten::random{}.from(Tensor{} self, int from, int? to, *, Generator? generator=None) -> Tensor{}"};
inline constexpr Schemas kEach{kRandom, kRandomTo, kRandomFrom};

}  // namespace ersatz::op_random
