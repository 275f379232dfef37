// permute and movedim: dims in another order.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/permute.h"

namespace ersatz::op_permute {

/// Dim i of the result is dim `dims[i]` of the input.
/// [permute.C1] dims has a dim for each dim of the input.
/// [permute.C2] no dim is repeated.
inline constexpr TypedSchema kPermute{"aten::permute(Tensor(a) self, int[] dims) -> Tensor(a)"};
inline constexpr Schema kMovedimInt{"aten::movedim.int(Tensor(a) self, int source, int destination) -> Tensor(a)"};
/// Moves dims `source` to positions `destination`; the others keep their order.
/// [movedim.C1] source and destination have equal lengths.
/// [movedim.C2] no dim is repeated.
inline constexpr TypedSchema kMovedimIntlist{
    "aten::movedim.intlist(Tensor(a) self, int[] source, int[] destination) -> Tensor(a)"};

}  // namespace ersatz::op_permute
