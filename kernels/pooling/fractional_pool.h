// Max pooling over windows at random positions: fractional_max_pool2d, fractional_max_pool3d.
//
// Along a dim of size n the o windows of k elements begin at floor((i + u) a) - floor(u a), a = (n - k) / (o - 1), and
// the last one at n - k; u is that plane's and that dim's number of `random_samples`: of images width before height, of
// volumes depth, height, width. The second result says where in the row-major plane each element was. Results are
// row-major. Source: Graham, "Fractional Max-Pooling", 2014. Constraints, where `op` is the op's name:
//
// [op.C1]  `kernel_size` and `output_size` have one number for each of these dims; of kernels positive, of results not
//          negative.
// [op.C2]  `self` has these dims, channels and, maybe, a batch; only the batch, or without one the channels, may be
//          empty.
// [op.C3]  `random_samples` is [batch or more, channels, dims] (a batch of 1 where there is none), of the dtype of
//          `self`.
// [op.C4]  windows fit: output_size + kernel_size is at most the size of the dim, of images one more.
//
// Gradients, which look at neither `kernel_size` nor random numbers:
//
// [op.C1]  `output_size` begins with the last sizes of `grad_output`.
// [op.C2]  `grad_output` has the sizes of `self` before these (of volumes only where `self` has any); a rank too
//          small is an index error. Where it has elements no pooled dim of `self` is empty.
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
