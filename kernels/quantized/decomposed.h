// `quantized_decomposed`: quantisation as exported programs of PT2E hold it, integers beside their scales.
//
// Constraints, where `op` is the operator's name:
// [op.C1] the input's dtype: f32 (f16 and bf16 are converted) where numbers are quantised, `dtype` where integers are
//         made numbers.
// [op.C2] a dtype that numbers are quantised to (ValueError).
// [op.C3] quant_min and quant_max are numbers of that dtype.
// [op.C4] the axis is one of the input's.
// [op.C5] a scale and a zero point: of one element for a tensor, one for each token.
// [op.C6] a scale that is not 0.
// [op.C7] groups of at least 2 that divide the last of two dims.
// [op.C8] the range from quant_min to quant_max has 0 and another number.
// [op.C9] tokens are quantised to i8.
#pragma once

#include "runtime/op/schema_literal.h"

namespace ersatz::op_decomposed {

#define ERSATZ_RANGE "int quant_min, int quant_max, ScalarType dtype"

/// round(input / scale) + zero_point, kept from quant_min to quant_max.
inline constexpr Schema kQuantize{
    "quantized_decomposed::quantize_per_tensor(Tensor input, float scale, int zero_point, " ERSATZ_RANGE ") -> Tensor"};
/// (input - zero_point) * scale.
inline constexpr Schema kDequantize{
    "quantized_decomposed::dequantize_per_tensor(Tensor input, float scale, int zero_point, " ERSATZ_RANGE
    ", *, ScalarType? out_dtype=None) -> Tensor"};
inline constexpr Schema kQuantizeTensor{
    "quantized_decomposed::quantize_per_tensor.{}(Tensor input, Tensor scale, Tensor zero_point, {} quant_min, {} "
    "quant_max, ScalarType dtype) -> Tensor"};
inline constexpr Schema kDequantizeTensor{
    "quantized_decomposed::dequantize_per_tensor.{}(Tensor input, Tensor scale, Tensor zero_point, {} quant_min, {} "
    "quant_max, ScalarType dtype, *, ScalarType? out_dtype=None) -> Tensor"};
/// A scale and a zero point for each index of dim `axis`.
inline constexpr Schema kQuantizeChannel{
    "quantized_decomposed::quantize_per_channel(Tensor input, Tensor scales, Tensor zero_points, int "
    "axis, " ERSATZ_RANGE ") -> Tensor"};
inline constexpr Schema kDequantizeChannel{
    "quantized_decomposed::dequantize_per_channel(Tensor input, Tensor scales, Tensor? zero_points, int "
    "axis, " ERSATZ_RANGE ", *, ScalarType? out_dtype=None) -> Tensor"};
inline constexpr Schema kFakeQuantChannel{
    "quantized_decomposed::fake_quant_per_channel(Tensor input, Tensor scales, Tensor zero_points, int axis, int "
    "quant_min, int quant_max) -> Tensor"};
/// A scale and a zero point for each `group_size` elements of a row.
inline constexpr Schema kQuantizeGroup{
    "quantized_decomposed::quantize_per_channel_group(Tensor input, Tensor scales, Tensor zero_points, " ERSATZ_RANGE
    ", int group_size) -> Tensor"};
inline constexpr Schema kDequantizeGroup{
    "quantized_decomposed::dequantize_per_channel_group(Tensor input, Tensor scales, Tensor? zero_points, " ERSATZ_RANGE
    ", int group_size, ScalarType output_dtype) -> Tensor"};
/// A token is a row: all dims but the last one.
inline constexpr Schema kQuantizeToken{
    "quantized_decomposed::quantize_per_token(Tensor input, Tensor scales, Tensor zero_points, " ERSATZ_RANGE
    ") -> Tensor"};
inline constexpr Schema kDequantizeToken{
    "quantized_decomposed::dequantize_per_token(Tensor input, Tensor scales, Tensor zero_points, " ERSATZ_RANGE
    ", ScalarType output_dtype) -> Tensor"};
/// The scale and zero point with which all numbers of the input fit, as f64 and i64.
inline constexpr Schema kChoose{
    "quantized_decomposed::{}.tensor(Tensor input, int quant_min, int quant_max, float eps, ScalarType dtype) -> "
    "(Tensor, Tensor)"};
inline constexpr Schema kChooseToken{"quantized_decomposed::{}(Tensor input, ScalarType dtype) -> (Tensor, Tensor)"};
inline constexpr Schema kConvert{
    "quantized_decomposed::convert_element_type.no_fuse(Tensor input, ScalarType dtype) -> Tensor"};

#undef ERSATZ_RANGE

}  // namespace ersatz::op_decomposed
