// Convolutions as users call them: conv1d to conv3d, conv_transpose1d to conv_transpose3d, written in terms of
// `convolution`.
//
// Constraints, the same for each under its own name
// [conv2d.C1] the input is one image (channels, spatial dims) or a batch of them.
// [conv2d.C2] padding is "valid", "same" or numbers; a stride goes with "same" only where it is 1.
// [conv2d.C3] stride and dilation have one value or one per spatial dim ("same").
// [conv2d.C4] a complex input goes with a complex weight and bias.
// [conv2d.C5] input and bias have one dtype (padding in numbers).
// What convolution refuses carries its label.
//
// "same" pads so that the output has the input's size. Where that is uneven, the input is copied into a larger one.
// A complex convolution is three real ones: of the real parts, of the imaginary parts, of the sums.
#pragma once

#include "runtime/op/schema_literal.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::op_conv {

inline constexpr Schema kConv{
    "aten::conv{0}d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[{0}] stride={1}, SymInt[{0}] padding={2}, "
    "SymInt[{0}] dilation={1}, SymInt groups=1) -> Tensor"};
inline constexpr Schema kConvPadding{
    "aten::conv{0}d.padding(Tensor input, Tensor weight, Tensor? bias=None, SymInt[{0}] stride={1}, str "
    "padding=\"valid\", SymInt[{0}] dilation={1}, SymInt groups=1) -> Tensor"};
inline constexpr Schema kConvTranspose{
    "aten::conv_transpose{0}d{3}(Tensor input, Tensor weight, Tensor? bias=None, SymInt[{0}] stride={1}, SymInt[{0}] "
    "padding={2}, SymInt[{0}] output_padding={2}, SymInt groups=1, SymInt[{0}] dilation={1}) -> Tensor"};
inline constexpr Schemas kEach{kConv, kConvPadding, kConvTranspose};

}  // namespace ersatz::op_conv

namespace ersatz::ops {

/// `bias` may be undefined. Lists hold one value or one per spatial dim.
Tensor conv1d(const Tensor& input, const Tensor& weight, const Tensor& bias, std::span<const SymInt> stride,
              std::span<const SymInt> padding, std::span<const SymInt> dilation, const SymInt& groups);
Tensor conv2d(const Tensor& input, const Tensor& weight, const Tensor& bias, std::span<const SymInt> stride,
              std::span<const SymInt> padding, std::span<const SymInt> dilation, const SymInt& groups);
Tensor conv3d(const Tensor& input, const Tensor& weight, const Tensor& bias, std::span<const SymInt> stride,
              std::span<const SymInt> padding, std::span<const SymInt> dilation, const SymInt& groups);
/// `padding` is "valid" or "same".
Tensor conv1d(const Tensor& input, const Tensor& weight, const Tensor& bias, std::span<const SymInt> stride,
              std::string_view padding, std::span<const SymInt> dilation, const SymInt& groups);
Tensor conv2d(const Tensor& input, const Tensor& weight, const Tensor& bias, std::span<const SymInt> stride,
              std::string_view padding, std::span<const SymInt> dilation, const SymInt& groups);
Tensor conv3d(const Tensor& input, const Tensor& weight, const Tensor& bias, std::span<const SymInt> stride,
              std::string_view padding, std::span<const SymInt> dilation, const SymInt& groups);
Tensor conv_transpose1d(const Tensor& input, const Tensor& weight, const Tensor& bias, std::span<const SymInt> stride,
                        std::span<const SymInt> padding, std::span<const SymInt> output_padding, const SymInt& groups,
                        std::span<const SymInt> dilation);
Tensor conv_transpose2d(const Tensor& input, const Tensor& weight, const Tensor& bias, std::span<const SymInt> stride,
                        std::span<const SymInt> padding, std::span<const SymInt> output_padding, const SymInt& groups,
                        std::span<const SymInt> dilation);
Tensor conv_transpose3d(const Tensor& input, const Tensor& weight, const Tensor& bias, std::span<const SymInt> stride,
                        std::span<const SymInt> padding, std::span<const SymInt> output_padding, const SymInt& groups,
                        std::span<const SymInt> dilation);

}  // namespace ersatz::ops
