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

#include "runtime/tensor/tensor.h"

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
