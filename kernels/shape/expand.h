// `expand` gives dims of size 1 another size without a copy: their stride becomes 0.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/expand.h"

namespace ersatz::op_expand {

/// A size of -1 keeps the dim's size. If `size` is longer than the rank, the additional sizes on the left are new dims.
/// [expand.C1] there are at least as many sizes as the input has dims.
/// [expand.C2] no size is below -1, and -1 is only for dims of the input.
/// [expand.C3] only dims of size 1 change their size.
inline constexpr TypedSchema kExpand{
    "aten::expand(Tensor(a) self, SymInt[] size, *, bool implicit=False) -> Tensor(a)"};
/// Calls `expand` with the sizes of `other`.
inline constexpr TypedSchema kExpandAs{"aten::expand_as(Tensor(a) self, Tensor other) -> Tensor(a)"};
/// `broadcast_to` is another name for `expand`.
inline constexpr TypedSchema kBroadcastTo{"aten::broadcast_to(Tensor(a) self, SymInt[] size) -> Tensor(a)"};

}  // namespace ersatz::op_expand
