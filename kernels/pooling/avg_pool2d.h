// avg_pool2d: the average of each window.
//
// Constraints
// [avg_pool2d.C1] kernel_size, stride and padding are one int or two; stride may be empty.
// [avg_pool2d.C2] kernel and stride are positive, padding is at most half the kernel, and divisor_override is not zero.
// [avg_pool2d.C3] the input is 3-d or 4-d (fewer than 3 dims: IndexError), and only the batch may be empty.
// [avg_pool2d.C4] the output has at least one element in each dim.
//
// The result is channels-last if suggest_memory_format(input) is. Padding counts as zeros. If count_include_pad is
// False, padding is not counted. divisor_override replaces the count.
#pragma once

#include <optional>

#include "runtime/op/typed_schema.h"
#include "runtime/tensor/tensor.h"
#include "typed/pooling/avg_pool2d.h"

namespace ersatz::op_avg_pool2d {

inline constexpr TypedSchema kAvgPool2d{
    "aten::avg_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, bool ceil_mode=False, bool "
    "count_include_pad=True, int? divisor_override=None) -> Tensor"};

}  // namespace ersatz::op_avg_pool2d
