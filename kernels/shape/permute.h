// Dims in another order.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/permute.h"

namespace ersatz::op_permute {

/// Dim i of the result is dim `dims[i]` of the input.
/// [permute.C1] as many dims as the input has.
/// [permute.C2] no dim twice.
inline constexpr TypedSchema kPermute{"aten::permute(Tensor(a) self, int[] dims) -> Tensor(a)"};
inline constexpr Schema kMovedimInt{"aten::movedim.int(Tensor(a) self, int source, int destination) -> Tensor(a)"};
/// Dims `source` moved to the places `destination`, the others in their order.
/// [movedim.C1] as many sources as destinations.
/// [movedim.C2] no dim twice.
inline constexpr TypedSchema kMovedimIntlist{
    "aten::movedim.intlist(Tensor(a) self, int[] source, int[] destination) -> Tensor(a)"};

}  // namespace ersatz::op_permute
