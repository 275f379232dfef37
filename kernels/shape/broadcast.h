// One tensor stretched to the sizes of another, for ops that write into given memory.
#pragma once

#include "runtime/tensor/tensor.h"

namespace ersatz {

/// May a tensor of `from` sizes stand where `to` is wanted: each dim, from the last, is equal or 1.
bool broadcasts_to(std::span<const SymInt> from, std::span<const SymInt> to);
/// A view of `t` with those sizes, stride 0 in stretched dims. REQUIRES: broadcasts_to(t.sizes(), sizes).
Tensor broadcast_view(const Tensor& t, std::span<const SymInt> sizes);

}  // namespace ersatz
