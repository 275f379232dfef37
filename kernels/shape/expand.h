// expand: broadcasts dims of size 1 without a copy, by stride 0.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/expand.h"

namespace ersatz::op_expand {

/// -1 keeps a dim's size. Additional sizes on the left are new dims.
/// [expand.C1] there are at least as many sizes as the input has dims.
/// [expand.C2] no size is below -1, and -1 is only for dims of the input.
/// [expand.C3] only dims of size 1 change their size.
inline constexpr TypedSchema kExpand{
    "aten::expand(Tensor(a) self, SymInt[] size, *, bool implicit=False) -> Tensor(a)"};
/// `expand` to the sizes of `other`.
inline constexpr TypedSchema kExpandAs{"aten::expand_as(Tensor(a) self, Tensor other) -> Tensor(a)"};
/// Another name of `expand`.
inline constexpr TypedSchema kBroadcastTo{"aten::broadcast_to(Tensor(a) self, SymInt[] size) -> Tensor(a)"};

}  // namespace ersatz::op_expand
