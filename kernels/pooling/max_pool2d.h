// max_pool2d_with_indices: the largest element of each window, and its index.
//
// Constraints
// [max_pool2d_with_indices.C1] kernel_size, stride, padding and dilation are one int or two; stride may be empty.
// [max_pool2d_with_indices.C2] kernel, stride and dilation are positive, and padding is at most half the kernel.
// [max_pool2d_with_indices.C3] the input is 3-d or 4-d, and only the batch may be empty.
// [max_pool2d_with_indices.C4] the output has at least one element in each dim.
// [max_pool2d_with_indices.C5] for a channels-last input on the CPU, an integer dtype can represent the number of an
//                              image's points (i8, u8: 127).
//
// Both results are channels-last if suggest_memory_format(input) is. The index is height * input_width + width of the
// first largest element. A NaN counts as largest.
#pragma once

#include <utility>

#include "runtime/op/typed_schema.h"
#include "runtime/tensor/tensor.h"
#include "typed/pooling/max_pool2d.h"

namespace ersatz::op_max_pool2d {

inline constexpr TypedSchema kMaxPool2dWithIndices{
    "aten::max_pool2d_with_indices(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, int[2] "
    "dilation=1, bool ceil_mode=False) -> (Tensor, Tensor)"};

}  // namespace ersatz::op_max_pool2d
