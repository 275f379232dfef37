// Spectra of a signal's frames, and the signal that has such spectra.
#pragma once

#include "runtime/op/schema_literal.h"

namespace ersatz::op_stft {

/// Frames of `n_fft` elements every `hop_length` (n_fft / 4), each multiplied by `window` (ones) with zeros on both
/// sides and transformed: [T] or [B, T] to [(B,) frequencies, frames]. Real signals give n_fft / 2 + 1 frequencies
/// unless `onesided` is False. `center` pads the signal by n_fft / 2 on both sides, in `pad_mode`; `align_to_window`,
/// without it, lets the frames begin where windows do. `normalized` divides by the root of n_fft.
/// [stft.C1] a floating or complex signal [T] or [B, T] (others: not implemented).
/// [stft.C2] `return_complex` is given where signal and window are real; where it is False, real and imaginary parts
///           are a new last dim. `align_to_window` without center.
/// [stft.C3] 0 < n_fft <= T, 0 < win_length <= n_fft, 0 < hop_length.
/// [stft.C4] a window of win_length elements on the signal's device.
/// [stft.C5] no `onesided` of complex numbers.
inline constexpr Schema kStft{
    "aten::stft(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, Tensor? window=None, bool "
    "normalized=False, bool? onesided=None, bool? return_complex=None, bool? align_to_window=None) -> Tensor"};
inline constexpr Schema kStftCenter{
    "aten::stft.center(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, Tensor? window=None, bool "
    "center=True, str pad_mode=\"reflect\", bool normalized=False, bool? onesided=None, bool? return_complex=None, "
    "bool? align_to_window=None) -> Tensor"};

/// The frames transformed back, multiplied by the window, added where they were, and divided by the sum of the squares
/// of the windows; `length` elements of it, or all that are no padding. Source: Griffin and Lim, "Signal estimation
/// from modified short-time Fourier transform", 1984.
/// [istft.C1] complex numbers (a type error) [(B,) frequencies, frames], not empty.
/// [istft.C2] n_fft frequencies, or n_fft / 2 + 1 where they are `onesided`, which they are unless there are n_fft.
/// [istft.C3] 0 < win_length <= n_fft, 0 < hop_length <= win_length.
/// [istft.C4] a window of win_length elements on the same device, real where the result is.
/// [istft.C5] `return_complex` of spectra that are not `onesided`.
/// Windows that add up to nothing somewhere are an error of the values.
inline constexpr Schema kIstft{
    "aten::istft(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, Tensor? window=None, bool "
    "center=True, bool normalized=False, bool? onesided=None, int? length=None, bool return_complex=False) -> Tensor"};
inline constexpr Schemas kEach{kStft, kStftCenter, kIstft};

}  // namespace ersatz::op_stft
