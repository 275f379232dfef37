// Uniform random integers in a tensor that is there: `random_`, and its functional forms.
//
// Between 0 and the largest number of the dtype, or, of floats, the largest up to which it holds all integers; in [0,
// to); in [from, to), or from `from` on where `to` is None. Constraints, of both forms under the in-place one's name:
//
// [random_.C1] from < to.
// [random_.C2] from and to - 1 are numbers of the dtype.
// [random_.C4] no two elements of self share memory.
// Elements are real numbers or bools.
#pragma once

#include "runtime/op/schema_literal.h"

namespace ersatz::op_random {

inline constexpr Schema kRandom{"aten::random{}(Tensor{} self, *, Generator? generator=None) -> Tensor{}"};
inline constexpr Schema kRandomTo{"aten::random{}.to(Tensor{} self, int to, *, Generator? generator=None) -> Tensor{}"};
inline constexpr Schema kRandomFrom{
    "aten::random{}.from(Tensor{} self, int from, int? to, *, Generator? generator=None) -> Tensor{}"};
inline constexpr Schemas kEach{kRandom, kRandomTo, kRandomFrom};

}  // namespace ersatz::op_random
