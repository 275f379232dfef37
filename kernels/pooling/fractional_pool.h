// fractional_max_pool2d, fractional_max_pool3d: max pooling over windows at random positions.
//
// Along a dim of size n there are o windows of k elements. With a = (n - k) / (o - 1) they begin at floor((i + u) a) -
// floor(u a); the last one begins at n - k. `random_samples` has a number u for each plane and dim: for images width
// before height, for volumes depth, height, width. The second result has the index of each element in its row-major
// plane. Results are row-major. Source: Graham, "Fractional Max-Pooling", 2014. In the constraints, `op` is the op's
// name:
//
// [op.C1]  `kernel_size` and `output_size` have one number for each pooled dim; kernels are positive, output sizes are
//          not negative.
// [op.C2]  `self` has the pooled dims, channels and optionally a batch. Only the batch may be empty; without a batch,
//          the channels may be.
// [op.C3]  `random_samples` is [batch or more, channels, dims] (a batch of 1 if self has none), in the dtype of `self`.
// [op.C4]  windows fit: output_size + kernel_size is at most the size of the dim; for images it is at most one more.
//
// Gradients, which use neither `kernel_size` nor random numbers:
//
// [op.C1]  `output_size` begins with the last sizes of `grad_output`.
// [op.C2]  `grad_output` has the sizes of `self` before the pooled ones (for volumes only if `self` is not empty
//          there). A rank that is too small raises IndexError. If it has elements, no pooled dim of `self` is empty.
// [op.C3]  `indices`, i64, has the sizes of `grad_output`, which has the dtype of `self`.
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
