// `permute` and `movedim`: views with the dims in another order.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/permute.h"

namespace ersatz::op_permute {

/// Returns a view whose dim i is dim `dims[i]` of `self`.
/// [permute.C1] `dims` has one entry for each dim of self.
/// [permute.C2] no dim is repeated.
inline constexpr TypedSchema kPermute{"aten::permute(Tensor(a) self, int[] dims) -> Tensor(a)"};
inline constexpr Schema kMovedimInt{"aten::movedim.int(Tensor(a) self, int source, int destination) -> Tensor(a)"};
/// Moves dim `source[i]` to position `destination[i]`; the other dims keep their order.
/// [movedim.C1] source and destination have equal lengths.
/// [movedim.C2] no dim is repeated.
inline constexpr TypedSchema kMovedimIntlist{
    "aten::movedim.intlist(Tensor(a) self, int[] source, int[] destination) -> Tensor(a)"};

}  // namespace ersatz::op_permute
