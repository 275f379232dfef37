// conv1d to conv3d and conv_transpose1d to conv_transpose3d, which call `convolution`.
//
// Constraints. Each operator has these labels with its own name:
// [conv2d.C1] the input is one image (channels, spatial dims) or a batch of images.
// [conv2d.C2] padding is "valid", "same" or numbers; "same" requires stride 1.
// [conv2d.C3] for padding "same", stride and dilation have one value for all spatial dims, or one for each.
// [conv2d.C4] if the input is complex, weight and bias are complex too.
// [conv2d.C5] if padding is numbers, input and bias have one dtype. Other errors have the labels of `convolution`.
//
// padding="same" pads so that the output has the input's size. If the two ends of a dim need different padding, the
// input is copied into a larger tensor. A complex convolution is three real convolutions: of the real parts, of the
// imaginary parts, and of the sums of both parts.
#pragma once

#include "runtime/op/typed_schema.h"
#include "runtime/tensor/tensor.h"
#include "typed/conv/conv.h"

namespace ersatz::op_conv {

/// conv1d to conv3d. `bias` may be undefined. Each list has one value for all spatial dims, or one for each.
inline constexpr TypedSchema kConv{
    "aten::conv{0}d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[{0}] stride={1}, SymInt[{0}] padding={2}, "
    "SymInt[{0}] dilation={1}, SymInt groups=1) -> Tensor",
    "1|1|0", "2|1|0", "3|1|0"};
inline constexpr Schema kConvPadding{
    "aten::conv{0}d.padding(Tensor input, Tensor weight, Tensor? bias=None, SymInt[{0}] stride={1}, str "
    "padding=\"valid\", SymInt[{0}] dilation={1}, SymInt groups=1) -> Tensor"};
inline constexpr TypedSchema kConvTranspose{
    "aten::conv_transpose{0}d{3}(Tensor input, Tensor weight, Tensor? bias=None, SymInt[{0}] stride={1}, SymInt[{0}] "
    "padding={2}, SymInt[{0}] output_padding={2}, SymInt groups=1, SymInt[{0}] dilation={1}) -> Tensor",
    "1|1|0|", "2|1|0|.input", "3|1|0|.input"};
inline constexpr Schemas kEach{kConv, kConvPadding, kConvTranspose};

}  // namespace ersatz::op_conv

namespace ersatz::ops {

/// The overloads whose `padding` is "valid" or "same".
Tensor conv1d(const Tensor& input, const Tensor& weight, const Tensor& bias, std::span<const SymInt> stride,
              std::string_view padding, std::span<const SymInt> dilation, const SymInt& groups);
Tensor conv2d(const Tensor& input, const Tensor& weight, const Tensor& bias, std::span<const SymInt> stride,
              std::string_view padding, std::span<const SymInt> dilation, const SymInt& groups);
Tensor conv3d(const Tensor& input, const Tensor& weight, const Tensor& bias, std::span<const SymInt> stride,
              std::string_view padding, std::span<const SymInt> dilation, const SymInt& groups);

}  // namespace ersatz::ops
