// Gradients of upsampling: each element of the incoming gradient is added to the input elements of its output,
// multiplied by their weights.
//
// Constraints; each op has them under its own name.
// [upsample_nearest2d_backward.C1] output_size has one number for each spatial dim, input_size has two more, and the
//                                  gradient has as many dims as input_size has numbers.
// [upsample_nearest2d_backward.C2] sizes of images are positive.
// [upsample_nearest2d_backward.C3] the gradient has the batch and the channels of input_size, and the sizes of
//                                  output_size.
//
// Results of the 1-d ops, of bicubic ops and of nearest 3-d ops are row-major. Results of the others have the memory
// format that the incoming gradient's strides suggest.
// Source: the adjoint of the interpolation, which is linear in its input.
#pragma once

#include "runtime/op/schema_literal.h"

namespace ersatz::op_upsample_backward {

inline constexpr Schema kPlain{
    "aten::{}_backward(Tensor grad_output, SymInt[{}] output_size, SymInt[{}] input_size, {}) -> Tensor"};
inline constexpr Schema kAligned{
    "aten::{}_backward(Tensor grad_output, SymInt[{}] output_size, SymInt[{}] input_size, bool align_corners, {}) -> "
    "Tensor"};

}  // namespace ersatz::op_upsample_backward
