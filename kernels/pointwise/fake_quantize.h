// Numbers as they are after quantisation and back, still floats: `fake_quantize_per_tensor_affine`.
#pragma once

#include "runtime/op/schema_literal.h"

namespace ersatz::op_fake_quantize {

/// Each element x becomes (q - zero_point) * scale, where q is x / scale + zero_point rounded to an integer (halves to
/// even) and kept within `quant_min` and `quant_max`; NaN gives the lowest q. Scale and zero point are f32.
/// [fake_quantize_per_tensor_affine.C1] quant_min is at most quant_max;
/// [fake_quantize_per_tensor_affine.C2] the zero point, where it is a number, lies between them;
/// [fake_quantize_per_tensor_affine.C3] scale and zero point that are tensors have one element.
inline constexpr Schema kFakeQuantize{
    "aten::fake_quantize_per_tensor_affine(Tensor self, float scale, int zero_point, int quant_min, int quant_max) -> "
    "Tensor"};
inline constexpr Schema kFakeQuantizeTensors{
    "aten::fake_quantize_per_tensor_affine.tensor_qparams(Tensor self, Tensor scale, Tensor zero_point, int quant_min, "
    "int quant_max) -> Tensor"};
inline constexpr Schemas kEach{kFakeQuantize, kFakeQuantizeTensors};

}  // namespace ersatz::op_fake_quantize
