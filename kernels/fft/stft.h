// The short-time Fourier transform, `stft`, and its inverse, `istft`.
#pragma once

#include "runtime/op/schema_literal.h"

namespace ersatz::op_stft {

/// Splits a signal [T] or [B, T] into frames of `n_fft` elements, one each `hop_length` (default n_fft / 4). Multiplies
/// each by `window` (default ones), zero-padded on both sides, and transforms it, to [(B,) frequencies, frames]. Real
/// signals give n_fft / 2 + 1 frequencies unless `onesided` is False.
/// `center` pads the signal by n_fft / 2 on both sides, in `pad_mode`. `align_to_window`, which excludes center, makes
/// frames begin where windows do. `normalized` divides by the root of n_fft.
/// [stft.C1] the signal is floating or complex, [T] or [B, T] (others: not implemented).
/// [stft.C2] `return_complex` is given if signal and window are real; if it is False, real and imaginary parts are a
///           new last dim. `align_to_window` excludes center.
/// [stft.C3] 0 < n_fft <= T, 0 < win_length <= n_fft, 0 < hop_length.
/// [stft.C4] the window has win_length elements and is on the signal's device.
/// [stft.C5] complex signals exclude `onesided`.
inline constexpr Schema kStft{
    "aten::stft(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, Tensor? window=None, bool "
    "normalized=False, bool? onesided=None, bool? return_complex=None, bool? align_to_window=None) -> Tensor"};
inline constexpr Schema kStftCenter{
    "aten::stft.center(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, Tensor? window=None, bool "
    "center=True, str pad_mode=\"reflect\", bool normalized=False, bool? onesided=None, bool? return_complex=None, "
    "bool? align_to_window=None) -> Tensor"};

/// Transforms the frames back, multiplies them by the window, adds them at their positions, and divides by the sum of
/// the squared windows. Returns `length` elements, or all without the padding. Source: Griffin and Lim, "Signal
/// estimation from modified short-time Fourier transform", 1984.
/// [istft.C1] the input is complex (a type error), [(B,) frequencies, frames], and not empty.
/// [istft.C2] there are n_fft frequencies, or n_fft / 2 + 1 if `onesided`, whose default is true unless there are
///            n_fft.
/// [istft.C3] 0 < win_length <= n_fft, 0 < hop_length <= win_length.
/// [istft.C4] the window has win_length elements, is on the input's device, and is real if the result is.
/// [istft.C5] `return_complex` excludes `onesided`.
/// Values: windows whose squares sum to 0 somewhere are an error.
inline constexpr Schema kIstft{
    "aten::istft(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, Tensor? window=None, bool "
    "center=True, bool normalized=False, bool? onesided=None, int? length=None, bool return_complex=False) -> Tensor"};
inline constexpr Schemas kEach{kStft, kStftCenter, kIstft};

}  // namespace ersatz::op_stft
