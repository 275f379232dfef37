// adaptive_avg_pool2d: averages over windows that are chosen to give the requested output size.
//
// Constraints
// [adaptive_avg_pool2d.C1] output_size has two elements; neither is negative.
// [adaptive_avg_pool2d.C2] the input is 3-d or 4-d, and neither height nor width is empty.
// _adaptive_avg_pool2d has the same labels. adaptive_avg_pool2d calls it, except for output size 1 x 1. That is the
// mean over the last two dims, for every input that `mean` accepts.
//
// Output index o averages the inputs [floor(o * in / out), ceil((o + 1) * in / out)). The result is channels-last if
// the input's strides suggest it.
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
