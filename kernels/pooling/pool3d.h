// Pools of three dims: `avg_pool3d`, `max_pool3d_with_indices`, `max_pool3d`.
//
// Constraints, the same for avg_pool3d and max_pool3d_with_indices under their own names
// [avg_pool3d.C1] kernel_size, stride, padding and dilation are one int or three; stride may be empty.
// [avg_pool3d.C2] kernel, stride and dilation are positive, padding is at most half the kernel, divisor_override is not
//     zero.
// [avg_pool3d.C3] the input is 4-d or 5-d, with no empty dim but the batch.
// [avg_pool3d.C4] the output has at least one element in each dim; averages: the input is not smaller than the kernel.
// [max_pool3d_with_indices.C5] a 4-d input does not look channels-last as an image batch (on the CPU).
// [max_pool3d_with_indices.C6] channels-last on the CPU: an integer dtype counts to the points of a volume (u8: 127).
//
// Layouts: averages are row-major. Maxima are channels-last where a 5-d input suggests it, and where a 4-d one with a
// batch of 1 before it is exactly that. The index is that of the largest element within its volume.
#pragma once

#include <optional>
#include <utility>

#include "runtime/op/typed_schema.h"
#include "runtime/tensor/tensor.h"
#include "typed/pooling/pool3d.h"

namespace ersatz::op_pool3d {

/// An empty list stands for its default: stride the kernel, padding 0, dilation 1.
inline constexpr TypedSchema kAvgPool3d{
    "aten::avg_pool3d(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, bool ceil_mode=False, bool "
    "count_include_pad=True, int? divisor_override=None) -> Tensor"};
inline constexpr TypedSchema kMaxPool3dWithIndices{
    "aten::max_pool3d_with_indices(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, int[3] "
    "dilation=1, bool ceil_mode=False) -> (Tensor, Tensor)"};
inline constexpr TypedSchema kMaxPool3d{
    "aten::max_pool3d(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, int[3] dilation=1, bool "
    "ceil_mode=False) -> Tensor"};
inline constexpr Schemas kEach{kAvgPool3d, kMaxPool3dWithIndices};

}  // namespace ersatz::op_pool3d
