// Dims in another order.
#pragma once

#include "runtime/op/schema_literal.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::op_permute {

inline constexpr Schema kPermute{"aten::permute(Tensor(a) self, int[] dims) -> Tensor(a)"};
inline constexpr Schema kMovedimInt{"aten::movedim.int(Tensor(a) self, int source, int destination) -> Tensor(a)"};
inline constexpr Schema kMovedimIntlist{
    "aten::movedim.intlist(Tensor(a) self, int[] source, int[] destination) -> Tensor(a)"};

}  // namespace ersatz::op_permute

namespace ersatz::ops {

/// Dim i of the result is dim `dims[i]` of the input.
/// [permute.C1] as many dims as the input has.
/// [permute.C2] no dim twice.
Tensor permute(const Tensor& self, std::span<const SymInt> dims);
/// Dims `source` moved to the places `destination`, the others in their order.
/// [movedim.C1] as many sources as destinations.
/// [movedim.C2] no dim twice.
Tensor movedim(const Tensor& self, std::span<const SymInt> source, std::span<const SymInt> destination);

}  // namespace ersatz::ops
