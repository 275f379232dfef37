// Copies with a layout of their own: `clone`, `contiguous`.
#pragma once

#include <optional>

#include "runtime/tensor.h"

namespace ersatz::ops {

/// A copy. Without a format (or `preserve`): the same strides where the input is non-overlapping and dense, else dense
/// strides in the order of the input's.
/// [clone.C1] a rank that the format has.
Tensor clone(const Tensor& self, std::optional<MemoryFormat> memory_format = std::nullopt);
/// `self` itself where it is in that format already, else a copy that is.
/// [contiguous.C1] a definite format, not `preserve`.
Tensor contiguous(const Tensor& self, MemoryFormat memory_format = MemoryFormat::Contiguous);

}  // namespace ersatz::ops
