// Elements in reverse order along some dims.
#pragma once

#include "runtime/op/schema_literal.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::op_flip {

inline constexpr Schema kFlip{"aten::flip(Tensor self, int[] dims) -> Tensor"};

}  // namespace ersatz::op_flip

namespace ersatz::ops {

/// A copy in which index i of each dim in `dims` holds what index size - 1 - i held. Negative dims count from the end.
/// The result keeps the input's layout where that is dense, as `clone` does.
/// [flip.C1] no dim twice.
Tensor flip(const Tensor& self, std::span<const SymInt> dims);

}  // namespace ersatz::ops
