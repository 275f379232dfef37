// Dims of size 1 repeated without a copy: stride 0.
#pragma once

#include "runtime/op/schema_literal.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::op_expand {

inline constexpr Schema kExpand{"aten::expand(Tensor(a) self, SymInt[] size, *, bool implicit=False) -> Tensor(a)"};
inline constexpr Schema kExpandAs{"aten::expand_as(Tensor(a) self, Tensor other) -> Tensor(a)"};
inline constexpr Schema kBroadcastTo{"aten::broadcast_to(Tensor(a) self, SymInt[] size) -> Tensor(a)"};

}  // namespace ersatz::op_expand

namespace ersatz::ops {

/// -1 keeps a dim's size; sizes to the left of the input's are new dims.
/// [expand.C1] as many sizes as the input has dims, or more.
/// [expand.C2] -1 only where the input has a dim, nothing less than -1.
/// [expand.C3] only dims of size 1 change.
Tensor expand(const Tensor& self, std::span<const SymInt> size, bool implicit = false);
/// `expand` to the sizes of `other`.
Tensor expand_as(const Tensor& self, const Tensor& other);
/// `expand` under another name.
Tensor broadcast_to(const Tensor& self, std::span<const SymInt> size);

}  // namespace ersatz::ops
