// adaptive_avg_pool2d: averages over windows whose sizes are chosen so that the output has the requested size.
//
// Constraints
// [adaptive_avg_pool2d.C1] output_size has two elements, which are not negative.
// [adaptive_avg_pool2d.C2] the input is 3-d or 4-d, and neither height nor width is empty.
// _adaptive_avg_pool2d has the labels of adaptive_avg_pool2d, which calls it. For output size 1 x 1,
// adaptive_avg_pool2d returns the mean over the last two dims instead, and accepts every input that `mean` accepts.
//
// Output index o averages the inputs [floor(o * in / out), ceil((o + 1) * in / out)). The result is channels-last if
// suggest_memory_format(input) is.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/pooling/adaptive_avg_pool2d.h"

namespace ersatz::op_adaptive_avg_pool2d {

inline constexpr Schema kAdaptiveAvgPool2dKernel{
    "aten::_adaptive_avg_pool2d(Tensor self, SymInt[2] output_size) -> Tensor"};
inline constexpr TypedSchema kAdaptiveAvgPool2d{
    "aten::adaptive_avg_pool2d(Tensor self, SymInt[2] output_size) -> Tensor"};
inline constexpr Schema kAdaptiveAvgPool2dOut{
    "aten::adaptive_avg_pool2d.out(Tensor self, SymInt[2] output_size, *, Tensor(a!) out) -> Tensor(a!)"};

}  // namespace ersatz::op_adaptive_avg_pool2d
