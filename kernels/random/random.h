// `random_` and its functional forms: uniform random integers that fill a tensor.
//
// Without bounds the numbers are between 0 and the largest number of the dtype; for floats, the largest up to which
// every integer is representable. With `to` they are in [0, to). With `from` and `to` they are in [from, to), or
// unbounded above if `to` is None. The constraints hold for both forms under the in-place form's name:
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
