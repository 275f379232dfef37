// `reflection_pad1d` to 3d and `replication_pad1d` to 3d: images padded with their own elements.
//
// Constraints; each op has them under its own name.
// [reflection_pad2d.C1] padding has one pair (before, after) for each spatial dim; the pair of the last dim is first.
// [reflection_pad2d.C2] the input is an image (channels, spatial dims) or a batch of images; only the batch may be
//                       empty.
// [reflection_pad2d.C3] for reflection, padding is less than the size of its dim.
// [reflection_pad2d.C4] the output has at least one element in each dim.
//
// Negative padding removes elements. Results of the 1-d ops are row-major. Results of the 2-d and 3-d ops have the
// memory format that the input's strides suggest (on CUDA: row-major).
#pragma once

#include "runtime/op/schema_literal.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::op_border_pad {

inline constexpr Schema kBorderPad{"aten::{}(Tensor self, SymInt[{}] padding) -> Tensor"};

}  // namespace ersatz::op_border_pad

namespace ersatz::ops {

/// Pads by mirroring at the border element, which is not repeated. `padding` has one pair for each spatial dim, and at
/// most three pairs.
Tensor reflection_pad(const Tensor& self, std::span<const SymInt> padding);
/// Pads with copies of the border element.
Tensor replication_pad(const Tensor& self, std::span<const SymInt> padding);

}  // namespace ersatz::ops
