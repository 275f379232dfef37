// native_layer_norm: each row of the last dims normalised to mean 0 and variance 1, then scaled and shifted.
//
// Constraints
// [native_layer_norm.C1] normalized_shape has at least one dim and is the end of the input's sizes.
// [native_layer_norm.C2] weight and bias, where given, have the sizes normalized_shape.
// [native_layer_norm.C3] they have the input's dtype, or f32 beside an f16 or bf16 input.
//
// Results: the output, each row's mean, each row's 1/sqrt(var + eps). All are contiguous; the statistics have the
// input's rank with size 1 in the normalised dims, and f32 where the parameters are f32 (on CUDA: always for f16,
// bf16).
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
