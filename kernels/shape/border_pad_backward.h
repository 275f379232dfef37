// The gradients of `reflection_pad1d` to 3d and `replication_pad1d` to 3d (kernels/shape/border_pad.h). Each element of
// the output's gradient is added to the input element that the forward op copied to its place.
//
// Constraints; each op has them under its own name.
// [reflection_pad2d_backward.C1] to [reflection_pad2d_backward.C4]: the constraints of reflection_pad2d for input and
//                                padding. Channels may be empty, except for `replication_pad2d` and 3d.
// [reflection_pad2d_backward.C5] the gradient has the sizes of the forward result and the dtype of the input. If the
//                                gradient's batch is larger, its additional images are ignored.
#pragma once

#include "runtime/op/schema_literal.h"

namespace ersatz::op_border_pad_backward {

inline constexpr Schema kBorderPadBackward{
    "aten::{}_backward(Tensor grad_output, Tensor self, SymInt[{}] padding) -> Tensor"};

}  // namespace ersatz::op_border_pad_backward
