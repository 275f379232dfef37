// Pools with three spatial dims: `avg_pool3d`, `max_pool3d_with_indices`, `max_pool3d`.
//
// Constraints. max_pool3d_with_indices has C1 to C4 too, with its own name.
// [avg_pool3d.C1] kernel_size, stride, padding and dilation are one int or three; stride may be empty.
// [avg_pool3d.C2] kernel, stride and dilation are positive, padding is at most half the kernel, and divisor_override is
// not zero.
// [avg_pool3d.C3] the input is 4-d or 5-d, and only the batch may be empty.
// [avg_pool3d.C4] the output has at least one element in each dim. For averages, the input is not smaller than the
// kernel.
// [max_pool3d_with_indices.C5] on the CPU, a 4-d input does not have the strides of a channels-last batch of 2-d
// images.
// [max_pool3d_with_indices.C6] for a channels-last input on the CPU, an integer dtype can represent the number of a
//                              volume's points (u8: 127).
//
// Layouts: averages are row-major. Maxima of a 5-d input are channels-last if suggest_memory_format(input) is. Maxima
// of a 4-d input are channels-last if the input, viewed with a batch dim of size 1, is exactly channels-last. The index
// of a maximum counts the points of its volume.
#pragma once

#include <optional>
#include <utility>

#include "runtime/op/typed_schema.h"
#include "runtime/tensor/tensor.h"
#include "typed/pooling/pool3d.h"

namespace ersatz::op_pool3d {

/// An empty list means the default, which is the kernel size for stride, 0 for padding and 1 for dilation.
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
