// Window functions of signals: `bartlett_window`, `blackman_window`, `hamming_window`, `hann_window`, `kaiser_window`.
//
// The value at point k of n is a function of x, which is k / n if `periodic`, else k / (n - 1).
// - Bartlett: 1 - |2x - 1|
// - Blackman: 0.42 - 0.5 cos(2 pi x) + 0.08 cos(4 pi x)
// - Hamming: alpha - beta cos(2 pi x), by default 0.54 and 0.46; Hann: Hamming with 0.5 and 0.5
// - Kaiser: I0(beta sqrt(1 - (2x - 1)^2)) / I0(beta), by default with beta 12
// A window of one point is 1. Constraints. In labels, `op` is the op's name:
//
// [op.C1] window_length is not negative.
// [op.C2] the dtype is no integer; for more than one point, it is a float.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/creation/windows.h"

namespace ersatz::op_windows {

/// Returns a periodic window.
inline constexpr TypedSchema kWindow{
    "aten::{}_window(int window_length, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
    "pin_memory=None) -> Tensor",
    "bartlett",
    "blackman",
    "hamming",
    "hann",
    "kaiser"};
inline constexpr TypedSchema kPeriodic{
    "aten::{}_window.periodic(int window_length, bool periodic, *, ScalarType? dtype=None, Layout? layout=None, "
    "Device? "
    "device=None, bool? pin_memory=None) -> Tensor",
    "bartlett",
    "blackman",
    "hamming",
    "hann",
    "kaiser"};
inline constexpr TypedSchema kAlpha{
    "aten::hamming_window.periodic_alpha(int window_length, bool periodic, float alpha, *, ScalarType? dtype=None, "
    "Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"};
inline constexpr TypedSchema kAlphaBeta{
    "aten::hamming_window.periodic_alpha_beta(int window_length, bool periodic, float alpha, float beta, *, "
    "ScalarType? "
    "dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"};
inline constexpr TypedSchema kBeta{
    "aten::kaiser_window.beta(int window_length, bool periodic, float beta, *, ScalarType? dtype=None, Layout? "
    "layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"};
inline constexpr Schemas kEach{kWindow, kPeriodic, kAlpha, kAlphaBeta, kBeta};
inline constexpr Schemas kEitherWay{kPeriodic, kAlpha, kAlphaBeta, kBeta};
inline constexpr Schemas kAlphas{kAlpha, kAlphaBeta};

}  // namespace ersatz::op_windows
