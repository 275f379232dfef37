// native_layer_norm: normalises the last dims to mean 0 and variance 1, then scales and shifts.
//
// Constraints
// [native_layer_norm.C1] normalized_shape has at least one dim and equals the input's last sizes.
// [native_layer_norm.C2] weight and bias, if given, have the sizes normalized_shape.
// [native_layer_norm.C3] weight and bias have the input's dtype, or f32 if the input is f16 or bf16.
//
// Results: the output, the mean and 1/sqrt(var + eps) of each row. All are contiguous. Mean and 1/sqrt(var + eps) have
// the input's rank, with size 1 in the normalised dims. These two results are f32 if the parameters are f32, and on
// CUDA also if the input is f16 or bf16.
#pragma once

#include <tuple>

#include "runtime/op/typed_schema.h"
#include "runtime/tensor/tensor.h"
#include "typed/norm/layer_norm.h"

namespace ersatz::op_layer_norm {

inline constexpr TypedSchema kNativeLayerNorm{
    "aten::native_layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight, Tensor? bias, float eps) -> "
    "(Tensor, Tensor, Tensor)"};

}  // namespace ersatz::op_layer_norm
