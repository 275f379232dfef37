// Images made larger with their own elements: `reflection_pad1d` to 3d, `replication_pad1d` to 3d.
//
// Constraints, the same for each under its own name
// [reflection_pad2d.C1] one pair (before, after) per spatial dim, the last dim's first.
// [reflection_pad2d.C2] the input is an image (channels, spatial dims) or a batch of them; only the batch may be empty.
// [reflection_pad2d.C3] reflection: less padding than elements in each dim.
// [reflection_pad2d.C4] the output has at least one element in each dim.
//
// Numbers may be negative: elements are taken away. The result of the 1-d ops is row-major, that of the others has the
// memory format that the input looks like (on CUDA: row-major).
#pragma once

#include "runtime/op/schema_literal.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::op_border_pad {

inline constexpr Schema kBorderPad{"aten::{}(Tensor self, SymInt[{}] padding) -> Tensor"};

}  // namespace ersatz::op_border_pad

namespace ersatz::ops {

/// Mirrored at the border element, which is not repeated. As many spatial dims as pairs, one to three.
Tensor reflection_pad(const Tensor& self, std::span<const SymInt> padding);
/// The border element repeated.
Tensor replication_pad(const Tensor& self, std::span<const SymInt> padding);

}  // namespace ersatz::ops
