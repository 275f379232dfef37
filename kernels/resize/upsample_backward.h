// Gradients of upsampling: each element of grad_output, times the weights of its taps, is added to the input elements
// of these taps.
//
// Constraints. Each operator has these labels with its own name.
// [upsample_nearest2d_backward.C1] output_size has one number for each spatial dim, input_size has two more, and the
//                                  gradient has one dim for each number of input_size.
// [upsample_nearest2d_backward.C2] sizes of images are positive.
// [upsample_nearest2d_backward.C3] the gradient has the batch and the channels of input_size, and the sizes of
//                                  output_size.
//
// Results of the 1-d operators, of the bicubic operators and of nearest 3-d are row-major. Results of all other
// operators have the memory format suggest_memory_format(grad_output). Interpolation is linear in its input, so the
// gradient is its adjoint.
#pragma once

#include "runtime/op/schema_literal.h"

namespace ersatz::op_upsample_backward {

inline constexpr Schema kPlain{
    "aten::{}_backward(Tensor grad_output, SymInt[{}] output_size, SymInt[{}] input_size, {}) -> Tensor"};
inline constexpr Schema kAligned{
    "aten::{}_backward(Tensor grad_output, SymInt[{}] output_size, SymInt[{}] input_size, bool align_corners, {}) -> "
    "Tensor"};

}  // namespace ersatz::op_upsample_backward
