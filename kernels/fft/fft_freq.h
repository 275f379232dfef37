// The frequencies of the elements that a discrete Fourier transform returns: `fft_fftfreq`, and `fft_rfftfreq` for
// transforms of real numbers.
//
// For n samples with distance d, element k is k / (n d) up to the middle, and (k - n) / (n d) after the middle.
//
// [fft_fftfreq.C1] [fft_rfftfreq.C1] n is not negative.
// [fft_fftfreq.C2] [fft_rfftfreq.C2] the dtype is floating.
// [fft_fftfreq.C3] an `out` argument has at least one dim.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/fft/fft_freq.h"

namespace ersatz::op_fft_freq {

inline constexpr TypedSchema kFreq{
    "aten::{}(int n, float d=1., *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
    "pin_memory=None) -> Tensor",
    "fft_fftfreq", "fft_rfftfreq"};

}  // namespace ersatz::op_fft_freq
