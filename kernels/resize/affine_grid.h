// affine_grid_generator returns the coordinates of the elements of an image or a volume after an affine map.
// grid_sampler reads these coordinates.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/resize/affine_grid.h"

namespace ersatz::op_affine_grid {

/// `size` is [N, C, H, W] or [N, C, D, H, W]. theta, [N, 2, 3] or [N, 3, 4], maps the coordinates (x, y, 1) or (x, y,
/// z, 1) of each element. Coordinates run from -1 to 1. If align_corners is true, -1 and 1 are the centers of the
/// border elements, else their outer edges. The result is row-major [N, H, W, 2] or [N, D, H, W, 3]. The method is that
/// of Jaderberg et al., "Spatial Transformer Networks", 2015.
/// [affine_grid_generator.C1] `size` has four or five numbers.
inline constexpr TypedSchema kAffineGridGenerator{
    "aten::affine_grid_generator(Tensor theta, SymInt[] size, bool align_corners) -> Tensor"};
/// The gradient of theta, with theta's sizes and the strides of its transpose.
/// [affine_grid_generator_backward.C1] is the condition of [affine_grid_generator.C1].
/// [affine_grid_generator_backward.C2] `grad` has the sizes of the grid.
inline constexpr TypedSchema kAffineGridGeneratorBackward{
    "aten::affine_grid_generator_backward(Tensor grad, SymInt[] size, bool align_corners) -> Tensor"};
inline constexpr Schemas kEach{kAffineGridGenerator, kAffineGridGeneratorBackward};

}  // namespace ersatz::op_affine_grid
