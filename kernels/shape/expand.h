// Dims of size 1 repeated without a copy: stride 0.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/expand.h"

namespace ersatz::op_expand {

/// -1 keeps a dim's size; sizes to the left of the input's are new dims.
/// [expand.C1] as many sizes as the input has dims, or more.
/// [expand.C2] -1 only where the input has a dim, nothing less than -1.
/// [expand.C3] only dims of size 1 change.
inline constexpr TypedSchema kExpand{
    "aten::expand(Tensor(a) self, SymInt[] size, *, bool implicit=False) -> Tensor(a)"};
/// `expand` to the sizes of `other`.
inline constexpr TypedSchema kExpandAs{"aten::expand_as(Tensor(a) self, Tensor other) -> Tensor(a)"};
/// `expand` under another name.
inline constexpr TypedSchema kBroadcastTo{"aten::broadcast_to(Tensor(a) self, SymInt[] size) -> Tensor(a)"};

}  // namespace ersatz::op_expand
