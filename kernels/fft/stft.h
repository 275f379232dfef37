// The short-time Fourier transform, `stft`, and its inverse, `istft`.
#pragma once

#include "runtime/op/schema_literal.h"

namespace ersatz::op_stft {

/// Splits a signal [T] or [B, T] into frames of `n_fft` elements, which begin `hop_length` (default n_fft / 4) apart.
/// Multiplies each frame by `window` (default ones), zero-padded on both sides, and transforms it. The result is [(B,)
/// frequencies, frames]. Real signals have n_fft / 2 + 1 frequencies unless `onesided` is False.
///
/// If `center` is true, the signal is first padded by n_fft / 2 on both sides, in `pad_mode`. If `align_to_window` is
/// true, frames begin where windows begin. If `normalized` is true, the result is divided by the root of n_fft.
/// [stft.C1] the signal is floating or complex, and [T] or [B, T] (other dtypes: not implemented).
/// [stft.C2] `return_complex` is given if signal and window are real. If it is False, real and imaginary parts are a
///          new last dim. `align_to_window` is not given if `center` is true.
/// [stft.C3] 0 < n_fft <= T, 0 < win_length <= n_fft, 0 < hop_length.
/// [stft.C4] the window has win_length elements and is on the signal's device.
/// [stft.C5] `onesided` is not true for complex signals.
inline constexpr Schema kStft{
    "aten::stft(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, Tensor? window=None, bool "
    "normalized=False, bool? onesided=None, bool? return_complex=None, bool? align_to_window=None) -> Tensor"};
inline constexpr Schema kStftCenter{
    "aten::stft.center(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, Tensor? window=None, bool "
    "center=True, str pad_mode=\"reflect\", bool normalized=False, bool? onesided=None, bool? return_complex=None, "
    "bool? align_to_window=None) -> Tensor"};

/// Transforms the frames back, multiplies them by the window, adds them at their positions, and divides by the sum of
/// the squared windows. Returns `length` elements, or all elements without the padding. The method is that of Griffin
/// and Lim, "Signal estimation from modified short-time Fourier transform", 1984.
/// [istft.C1] the input is complex (a type error), has the dims [(B,) frequencies, frames], and is not empty.
/// [istft.C2] there are n_fft frequencies, or n_fft / 2 + 1 if `onesided` is true. The default of `onesided` is false
///           only if there are n_fft frequencies.
/// [istft.C3] 0 < win_length <= n_fft, 0 < hop_length <= win_length.
/// [istft.C4] the window has win_length elements, is on the input's device, and is real if the result is real.
/// [istft.C5] `return_complex` and `onesided` are not both true.
/// Values: raises if the squares of the windows sum to 0 at some position.
inline constexpr Schema kIstft{
    "aten::istft(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, Tensor? window=None, bool "
    "center=True, bool normalized=False, bool? onesided=None, int? length=None, bool return_complex=False) -> Tensor"};
inline constexpr Schemas kEach{kStft, kStftCenter, kIstft};

}  // namespace ersatz::op_stft
