// Gradients of grid_sampler_2d and grid_sampler_3d: of the input where `output_mask` asks for it, of the grid always.
//
// The input and the grid are checked by the sampler's own rule, in its words. Constraints, the same for both ops:
//
// [grid_sampler_2d_backward.C1] [grid_sampler_3d_backward.C1] grad_output has the sizes of what the sampler gives
//     (value error).
// [grid_sampler_2d_backward.C2] [grid_sampler_3d_backward.C2] grad_output has the dtype of the input.
//
// Results are row-major. A place that the padding moved to the border has the slope 0 there, one that it mirrored the
// slope of its mirror image; nearest neighbours have none.
// Source: the adjoint of the sampling, which is linear in the input; the derivative of its weights by the place.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/resize/grid_sampler_backward.h"

namespace ersatz::op_grid_sampler_backward {

inline constexpr TypedSchema kGridSampler2dBackward{
    "aten::grid_sampler_2d_backward(Tensor grad_output, Tensor input, Tensor grid, int interpolation_mode, int "
    "padding_mode, bool align_corners, bool[2] output_mask) -> (Tensor, Tensor)"};
inline constexpr TypedSchema kGridSampler3dBackward{
    "aten::grid_sampler_3d_backward(Tensor grad_output, Tensor input, Tensor grid, int interpolation_mode, int "
    "padding_mode, bool align_corners, bool[2] output_mask) -> (Tensor, Tensor)"};
inline constexpr Schemas kEach{kGridSampler2dBackward, kGridSampler3dBackward};

}  // namespace ersatz::op_grid_sampler_backward
