// Gradients of grid_sampler_2d and grid_sampler_3d. The gradient of the input is computed if `output_mask` requests it,
// and the gradient of the grid always.
//
// The rule of the forward operator checks the input and the grid, and raises its own errors. Constraints of both
// gradients:
//
// [grid_sampler_2d_backward.C1] [grid_sampler_3d_backward.C1] grad_output has the sizes of the sampler's result
//                                                             (ValueError).
// [grid_sampler_2d_backward.C2] [grid_sampler_3d_backward.C2] grad_output has the dtype of the input.
//
// Results are row-major. For coordinates that padding clamps to the border, the gradient of the grid is 0. For mirrored
// coordinates, it includes the derivative of the reflection. For nearest interpolation, it is 0. The sampler is linear
// in the input, so the input's gradient is its adjoint. The grid's gradient comes from the derivative of the weights
// with respect to the coordinates.
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
