// native_group_norm: normalises each group of channels of each image, then scales and shifts each channel.
//
// Constraints
// [native_group_norm.C1] group is positive and divides C.
// [native_group_norm.C2] weight and bias, if given, are 1-d with C elements.
// [native_group_norm.C3] they have the input's dtype, or are f32 for an f16 or bf16 input.
// [native_group_norm.C4] N, C and HxW belong to the input: their product is its number of elements (N may be 0).
//
// Results: the output, and means and 1/sqrt(var + eps), [N, group]. On the CPU the output is channels-last if the input
// suggests it, else row-major; on CUDA it is row-major.
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
