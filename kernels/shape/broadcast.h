// Broadcasts one tensor to given sizes, for ops that write into existing memory.
#pragma once

#include "runtime/tensor/tensor.h"

namespace ersatz {

/// Whether `from` broadcasts to exactly `to`: counted from the last, each dim of `from` has the size of `to`, or size
/// 1.
bool broadcasts_to(std::span<const SymInt> from, std::span<const SymInt> to);
/// Returns a view of `t` with `sizes`; broadcast dims have stride 0. REQUIRES: broadcasts_to(t.sizes(), sizes).
Tensor broadcast_view(const Tensor& t, std::span<const SymInt> sizes);

}  // namespace ersatz
