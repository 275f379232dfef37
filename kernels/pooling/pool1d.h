// Pools of one dim, and max pools without indices. They call the 2-d and 3-d pools.
//
// Constraints
// [max_pool1d.C1] kernel_size, stride, padding and dilation are one int each; stride may be empty.
// [max_pool1d.C2] the input is 2-d or 3-d, and neither channels nor length are empty.
// [max_pool1d.C3] kernel, stride and dilation are positive, padding is at most half the kernel, and the output has
// elements.
// [avg_pool1d.C1] [max_pool1d_with_indices.C1] are the condition of [max_pool1d.C1], without dilation for avg_pool1d.
// [adaptive_avg_pool1d.C1] output_size is one int.
// [avg_pool1d.C2] [max_pool1d_with_indices.C2] [adaptive_avg_pool1d.C2] the input is 2-d or 3-d.
// Other errors come from the 2-d pool that is called, and have its labels.
//
// max_pool1d on the CPU has its own loops, and its result is row-major. The other pools view the input as an image of
// height 1.
#pragma once

#include <utility>

#include "runtime/op/typed_schema.h"
#include "typed/pooling/pool1d.h"

namespace ersatz::op_pool1d {

/// An empty list means the default, which is the kernel size for stride, 0 for padding and 1 for dilation.
inline constexpr TypedSchema kMaxPool1d{
    "aten::max_pool1d(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=[0], int[1] dilation=[1], bool "
    "ceil_mode=False) -> Tensor"};
inline constexpr TypedSchema kMaxPool1dWithIndices{
    "aten::max_pool1d_with_indices(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=[0], int[1] "
    "dilation=[1], bool ceil_mode=False) -> (Tensor, Tensor)"};
inline constexpr TypedSchema kMaxPool2d{
    "aten::max_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, int[2] dilation=1, bool "
    "ceil_mode=False) -> Tensor"};
inline constexpr TypedSchema kAvgPool1d{
    "aten::avg_pool1d(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=[0], bool ceil_mode=False, "
    "bool count_include_pad=True) -> Tensor"};
inline constexpr TypedSchema kAdaptiveAvgPool1d{"aten::adaptive_avg_pool1d(Tensor self, int[1] output_size) -> Tensor"};

}  // namespace ersatz::op_pool1d
