// `quantized_decomposed`: the quantisation operators in programs that were exported with PT2E. Integers and their
// scales are separate tensors.
//
// Constraints, where `op` is the operator's name:
// [op.C1] the input of a quantise operator is f32 (or f16 or bf16, which are converted). The input of a dequantise
// operator has the dtype `dtype`.
// [op.C2] `dtype` is a dtype to which numbers can be quantised (ValueError).
// [op.C3] quant_min and quant_max are representable in `dtype`.
// [op.C4] the axis is a dim of the input.
// [op.C5] scale and zero point have one element for the tensor, or one for each token.
// [op.C6] the scale is not 0.
// [op.C7] groups have at least 2 elements and divide the last of two dims.
// [op.C8] the range from quant_min to quant_max contains 0 and at least one other number.
// [op.C9] tokens are quantised to i8.
#pragma once

#include "runtime/op/schema_literal.h"

namespace ersatz::op_decomposed {

#define ERSATZ_RANGE "int quant_min, int quant_max, ScalarType dtype"

/// Returns round(input / scale) + zero_point, clamped to [quant_min, quant_max].
inline constexpr Schema kQuantize{
    "quantized_decomposed::quantize_per_tensor(Tensor input, float scale, int zero_point, " ERSATZ_RANGE ") -> Tensor"};
/// Returns (input - zero_point) * scale.
inline constexpr Schema kDequantize{
    "quantized_decomposed::dequantize_per_tensor(Tensor input, float scale, int zero_point, " ERSATZ_RANGE
    ", *, ScalarType? out_dtype=None) -> Tensor"};
inline constexpr Schema kQuantizeTensor{
    "quantized_decomposed::quantize_per_tensor.{}(Tensor input, Tensor scale, Tensor zero_point, {} quant_min, {} "
    "quant_max, ScalarType dtype) -> Tensor"};
inline constexpr Schema kDequantizeTensor{
    "quantized_decomposed::dequantize_per_tensor.{}(Tensor input, Tensor scale, Tensor zero_point, {} quant_min, {} "
    "quant_max, ScalarType dtype, *, ScalarType? out_dtype=None) -> Tensor"};
/// These operators have a scale and a zero point for each index of dim `axis`.
inline constexpr Schema kQuantizeChannel{
    "quantized_decomposed::quantize_per_channel(Tensor input, Tensor scales, Tensor zero_points, int "
    "axis, " ERSATZ_RANGE ") -> Tensor"};
inline constexpr Schema kDequantizeChannel{
    "quantized_decomposed::dequantize_per_channel(Tensor input, Tensor scales, Tensor? zero_points, int "
    "axis, " ERSATZ_RANGE ", *, ScalarType? out_dtype=None) -> Tensor"};
inline constexpr Schema kFakeQuantChannel{
    "quantized_decomposed::fake_quant_per_channel(Tensor input, Tensor scales, Tensor zero_points, int axis, int "
    "quant_min, int quant_max) -> Tensor"};
/// These operators have a scale and a zero point for each `group_size` adjacent elements of a row.
inline constexpr Schema kQuantizeGroup{
    "quantized_decomposed::quantize_per_channel_group(Tensor input, Tensor scales, Tensor zero_points, " ERSATZ_RANGE
    ", int group_size) -> Tensor"};
inline constexpr Schema kDequantizeGroup{
    "quantized_decomposed::dequantize_per_channel_group(Tensor input, Tensor scales, Tensor? zero_points, " ERSATZ_RANGE
    ", int group_size, ScalarType output_dtype) -> Tensor"};
/// These operators have a scale and a zero point for each token. A token is a row: the elements along the last dim.
inline constexpr Schema kQuantizeToken{
    "quantized_decomposed::quantize_per_token(Tensor input, Tensor scales, Tensor zero_points, " ERSATZ_RANGE
    ") -> Tensor"};
inline constexpr Schema kDequantizeToken{
    "quantized_decomposed::dequantize_per_token(Tensor input, Tensor scales, Tensor zero_points, " ERSATZ_RANGE
    ", ScalarType output_dtype) -> Tensor"};
/// Returns the scale (f64) and zero point (i64) with which the integers from quant_min to quant_max represent all
/// numbers of the input.
inline constexpr Schema kChoose{
    "quantized_decomposed::{}.tensor(Tensor input, int quant_min, int quant_max, float eps, ScalarType dtype) -> "
    "(Tensor, Tensor)"};
inline constexpr Schema kChooseToken{"quantized_decomposed::{}(Tensor input, ScalarType dtype) -> (Tensor, Tensor)"};
inline constexpr Schema kConvert{
    "quantized_decomposed::convert_element_type.no_fuse(Tensor input, ScalarType dtype) -> Tensor"};

#undef ERSATZ_RANGE

}  // namespace ersatz::op_decomposed
