// `fake_quantize_per_tensor_affine`: quantises floats and converts them back to floats.
#pragma once

#include "runtime/op/schema_literal.h"

namespace ersatz::op_fake_quantize {

/// Replaces each element x by (q - zero_point) * scale. Here q is x / scale + zero_point, rounded to an integer (ties
/// to even) and clamped to [quant_min, quant_max]. NaN becomes quant_min. Scale and zero point are f32.
/// [fake_quantize_per_tensor_affine.C1] quant_min is at most quant_max.
/// [fake_quantize_per_tensor_affine.C2] a zero point that is a number is in [quant_min, quant_max].
/// [fake_quantize_per_tensor_affine.C3] scale and zero point that are tensors have one element.
inline constexpr Schema kFakeQuantize{
    "aten::fake_quantize_per_tensor_affine(Tensor self, float scale, int zero_point, int quant_min, int quant_max) -> "
    "Tensor"};
inline constexpr Schema kFakeQuantizeTensors{
    "aten::fake_quantize_per_tensor_affine.tensor_qparams(Tensor self, Tensor scale, Tensor zero_point, int quant_min, "
    "int quant_max) -> Tensor"};
inline constexpr Schemas kEach{kFakeQuantize, kFakeQuantizeTensors};

}  // namespace ersatz::op_fake_quantize
