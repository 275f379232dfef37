// fractional_max_pool2d, fractional_max_pool3d: max pooling over windows at random positions.
//
// Along a dim of size n there are o windows of k elements. With a = (n - k) / (o - 1), window i begins at floor((i + u)
// a) - floor(u a), and the last window at n - k. `random_samples` has a number u for each plane and dim. The order of
// dims is width, height for images, and depth, height, width for volumes. The second result has the index of each
// element in its row-major plane. Results are row-major. The method is that of Graham, "Fractional Max-Pooling", 2014.
// In the constraints, `op` is the op's name:
//
// [op.C1]  `kernel_size` and `output_size` have one number for each pooled dim. Kernels are positive, and output sizes
// are not negative.
// [op.C2]  `self` has the pooled dims, channels and optionally a batch. Only the first dim may be empty: the batch, or
// the channels if there is no batch.
// [op.C3]  `random_samples` is [batch or more, channels, dims], in the dtype of `self`. If self has no batch dim, the
// batch size counts as 1.
// [op.C4]  windows fit: output_size + kernel_size is at most the size of the dim, and for images at most the size plus
// 1.
//
// Constraints of the gradients, which use neither `kernel_size` nor random numbers:
//
// [op.C1]  `output_size` begins with the sizes of the pooled dims of `grad_output`.
// [op.C2]  `grad_output` and `self` have equal sizes before the pooled dims. For volumes this is checked only if `self`
// has planes. A rank that is too small raises IndexError. If `grad_output` has elements, no pooled dim of `self` is
// empty.
// [op.C3]  `indices` is i64 and has the sizes of `grad_output`. `grad_output` has the dtype of `self`.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/pooling/fractional_pool.h"

namespace ersatz::op_fractional_pool {

inline constexpr TypedSchema kImages{
    "aten::fractional_max_pool2d(Tensor self, int[2] kernel_size, int[2] output_size, Tensor random_samples) -> "
    "(Tensor, Tensor)"};
inline constexpr TypedSchema kVolumes{
    "aten::fractional_max_pool3d(Tensor self, int[3] kernel_size, int[3] output_size, Tensor random_samples) -> "
    "(Tensor, Tensor)"};
inline constexpr TypedSchema kImagesBackward{
    "aten::fractional_max_pool2d_backward(Tensor grad_output, Tensor self, int[2] kernel_size, int[2] output_size, "
    "Tensor indices) -> Tensor"};
inline constexpr TypedSchema kVolumesBackward{
    "aten::fractional_max_pool3d_backward(Tensor grad_output, Tensor self, int[3] kernel_size, int[3] output_size, "
    "Tensor indices) -> Tensor"};
inline constexpr Schemas kForward{kImages, kVolumes};
inline constexpr Schemas kBackward{kImagesBackward, kVolumesBackward};

}  // namespace ersatz::op_fractional_pool
