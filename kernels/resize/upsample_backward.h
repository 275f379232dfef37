// Gradients of upsampling: each element of the incoming gradient goes to the input elements that its output was made
// of, by their weights.
//
// Constraints, the same for each under its own name
// [upsample_nearest2d_backward.C1] output_size has a number per spatial dim, input_size two more, and the gradient as
//                                  many dims as input_size.
// [upsample_nearest2d_backward.C2] sizes of images are positive.
// [upsample_nearest2d_backward.C3] the gradient has the batch and the channels of input_size and the sizes of
//                                  output_size.
//
// The result of the 1-d ops, of bicubic ones and of nearest 3-d ones is row-major, that of the others has the memory
// format that the incoming gradient looks like.
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
