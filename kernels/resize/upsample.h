// Resizes images by nearest element, by (bi-, tri-)linear or bicubic interpolation, or with antialiasing (linear,
// cubic, Lanczos).
//
// Constraints. Each operator has these labels with its own name.
// [upsample_nearest2d.C1] output_size has one number for each spatial dim. The input is a batch of images with as many
//                        spatial dims.
// [upsample_nearest2d.C2] input and output have at least one element in each spatial dim.
// [upsample_nearest2d.C3] there is at least one channel.
// [upsample_nearest2d.C4] in a `vec` overload, either output_size or scale_factors is given, with one number for each
// spatial dim.
//
// A scale is the ratio of output size to input size. Its default is the ratio of the sizes. In `vec` overloads, the
// output size is the input size times the scale, rounded towards zero. Results of the 1-d operators are row-major.
// Results of all other operators have the memory format suggest_memory_format(input).
#pragma once

#include <string_view>

#include "runtime/op/schema_literal.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::op_upsample {

inline constexpr Schema kUpsample{"aten::{}(Tensor self, SymInt[{}] output_size, {}) -> Tensor"};
inline constexpr Schema kAligned{"aten::{}(Tensor self, SymInt[{}] output_size, bool align_corners, {}) -> Tensor"};
inline constexpr Schema kUpsampleVec{
    "aten::{}.vec(Tensor input, SymInt[]? output_size, float[]? scale_factors) -> Tensor"};
inline constexpr Schema kAlignedVec{
    "aten::{}.vec(Tensor input, SymInt[]? output_size, bool align_corners, float[]? scale_factors) -> Tensor"};
inline constexpr Schemas kVec{kUpsampleVec, kAlignedVec};

}  // namespace ersatz::op_upsample

namespace ersatz::ops {

/// Resizes to `output_size`, which has one number for each spatial dim. `mode` is "nearest" or "nearest-exact".
Tensor upsample_nearest(const Tensor& self, std::span<const SymInt> output_size, std::string_view mode = "nearest");
/// Interpolates linearly in each spatial dim. If `align_corners` is true, first and last elements keep their
/// coordinates.
Tensor upsample_linear(const Tensor& self, std::span<const SymInt> output_size, bool align_corners = false);
/// Resizes by cubic convolution with a = -0.75 in two spatial dims.
Tensor upsample_bicubic2d(const Tensor& self, std::span<const SymInt> output_size, bool align_corners = false);

}  // namespace ersatz::ops
