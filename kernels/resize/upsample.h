// Images made another size: nearest element, (bi-, tri-)linear, bicubic, and with antialiasing
// (linear, cubic, Lanczos).
//
// Constraints, the same for each under its own name
// [upsample_nearest2d.C1] output_size has a number per spatial dim, and the input is a batch of images of as many dims.
// [upsample_nearest2d.C2] input and output have at least one element in each spatial dim.
// [upsample_nearest2d.C3] there is a channel.
// [upsample_nearest2d.C4] (vec) either output_size or scale_factors is given, with a number per spatial dim.
//
// A scale says how many output elements an input element becomes; without one it follows from the sizes. In `vec` the
// output size is the input's times the scale, rounded towards zero. The result of the 1-d ops is row-major, that of the
// others has the memory format that the input looks like.
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

/// To `output_size`, whose length is the number of spatial dims. `mode`: "nearest", "nearest-exact".
Tensor upsample_nearest(const Tensor& self, std::span<const SymInt> output_size, std::string_view mode = "nearest");
/// Linear in each spatial dim. `align_corners`: first and last elements keep their places.
Tensor upsample_linear(const Tensor& self, std::span<const SymInt> output_size, bool align_corners = false);
/// Two spatial dims; cubic convolution with a = -0.75.
Tensor upsample_bicubic2d(const Tensor& self, std::span<const SymInt> output_size, bool align_corners = false);

}  // namespace ersatz::ops
