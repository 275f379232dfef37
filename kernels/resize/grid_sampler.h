// grid_sampler, grid_sampler_2d, grid_sampler_3d: an image or a volume sampled at the coordinates in a grid.
//
// Constraints
// [grid_sampler_2d.C1] [grid_sampler_3d.C1] input and grid are 4-d (5-d) and have one batch size. The grid's last dim
//                                           has size 2 (x, y) or 3 (x, y, z). Tensors without dims raise IndexError.
//                                           [grid_sampler.C1] is the condition of the operator for the input's rank.
// [grid_sampler_2d.C2] [grid_sampler_3d.C2] the input's spatial dims are not empty.
// [grid_sampler_2d.C3] [grid_sampler_3d.C3] input and grid have one dtype.
//
// Coordinates run from -1 to 1 over the image. If align_corners is true, -1 and 1 are the centers of the border
// elements, else their outer edges. interpolation_mode: 0 bilinear, 1 nearest, 2 bicubic. padding_mode: 0 zeros outside
// of the image, 1 the border element, 2 mirrored. The result is row-major.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/resize/grid_sampler.h"

namespace ersatz::op_grid_sampler {

inline constexpr TypedSchema kGridSampler2d{
    "aten::grid_sampler_2d(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners) -> "
    "Tensor"};
inline constexpr TypedSchema kGridSampler3d{
    "aten::grid_sampler_3d(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners) -> "
    "Tensor"};
inline constexpr Schema kGridSampler{
    "aten::grid_sampler(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners) -> "
    "Tensor"};
inline constexpr Schemas kSampled{kGridSampler2d, kGridSampler3d};

}  // namespace ersatz::op_grid_sampler
