// native_group_norm: normalises each group of channels of each image, then scales and shifts each channel.
//
// Constraints
// [native_group_norm.C1] group is positive, and divides C.
// [native_group_norm.C2] weight and bias, if given, are 1-d with C elements.
// [native_group_norm.C3] weight and bias have the input's dtype, or f32 if the input is f16 or bf16.
// [native_group_norm.C4] the product of N, C and HxW is the input's number of elements (N may be 0).
//
// Results: the output, the means, and 1/sqrt(var + eps). Means and 1/sqrt(var + eps) are [N, group]. On the CPU, the
// output is channels-last if suggest_memory_format(input) is, else row-major. On CUDA, the output is row-major.
#pragma once

#include <tuple>

#include "runtime/op/typed_schema.h"
#include "runtime/tensor/tensor.h"
#include "typed/norm/group_norm.h"

namespace ersatz::op_group_norm {

inline constexpr TypedSchema kNativeGroupNorm{
    "aten::native_group_norm(Tensor input, Tensor? weight, Tensor? bias, SymInt N, SymInt C, SymInt HxW, int group, "
    "float eps) -> (Tensor, Tensor, Tensor)"};

}  // namespace ersatz::op_group_norm
