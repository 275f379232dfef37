// The frequencies of a discrete Fourier transform's results: `fft_fftfreq`, and `fft_rfftfreq` of the half that a
// transform of real numbers has.
//
// Of n samples, d apart: k / (n d) for k = 0, 1, ... up to the middle, and from there on (k - n) / (n d).
//
// [fft_fftfreq.C1] [fft_rfftfreq.C1] no negative length.
// [fft_fftfreq.C2] [fft_rfftfreq.C2] a floating dtype.
// [fft_fftfreq.C3] an `out` with dims.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/fft/fft_freq.h"

namespace ersatz::op_fft_freq {

inline constexpr TypedSchema kFreq{
    "aten::{}(int n, float d=1., *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
    "pin_memory=None) -> Tensor",
    "fft_fftfreq", "fft_rfftfreq"};

}  // namespace ersatz::op_fft_freq
