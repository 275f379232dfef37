// The `fft_*` operators. They call `_fft_c2c`, `_fft_r2c` and `_fft_c2r`.
//
// The input is cut or zero-padded to the given sizes. `norm` is "backward" (the default: the inverse divides by n),
// "forward" (the forward transform divides by n) or "ortho". Integers and bools become the default dtype.
//
// [fft_X.C1]  norm is "backward", "forward" or "ortho".
// [fft_X.C2]  each transformed dim has at least one element.
// [fft_X.C3]  the input is real for rfft, ihfft and their versions for several dims (a type error).
// [fft_X.C4]  there is one size for each dim, the input has at least as many dims, and each dim occurs once.
// [fft_X.C5]  transforms from or to real numbers have at least one dim.
// [fft_X.C6]  an `out` argument is complex, or floating if the results are real.
#pragma once

#include <optional>
#include <string_view>

#include "runtime/op/typed_schema.h"
#include "runtime/tensor/tensor.h"
#include "typed/fft/fft_named.h"

namespace ersatz::op_fft_named {

/// rfft returns the half of a real input's spectrum that determines the other half. irfft returns n real numbers, given
/// this half; the default of n is 2 * (size - 1). hfft returns the real spectrum of a signal, given half of the signal;
/// the other half is its conjugate. ihfft is the inverse of hfft.
inline constexpr TypedSchema kFft{"aten::fft_{}(Tensor self, SymInt? n=None, int dim=-1, str? norm=None) -> Tensor",
                                  "fft",
                                  "ifft",
                                  "rfft",
                                  "irfft",
                                  "hfft",
                                  "ihfft"};
inline constexpr Schema kFftDims{
    "aten::fft_{}{}(Tensor self, SymInt[1]? s=None, int[1]{} dim={}, str? norm=None) -> Tensor"};
inline constexpr Schema kFftFftshift{"aten::fft_fftshift(Tensor self, int[1]? dim=None) -> Tensor"};
inline constexpr Schema kFftIfftshift{"aten::fft_ifftshift(Tensor self, int[1]? dim=None) -> Tensor"};
inline constexpr Schemas kEach{kFft, kFftDims, kFftFftshift, kFftIfftshift};

}  // namespace ersatz::op_fft_named

namespace ersatz::ops {

/// fft_fftshift rolls the elements so that frequency 0 is in the middle. fft_ifftshift is the inverse.
Tensor fft_fftshift(const Tensor& self);
Tensor fft_ifftshift(const Tensor& self);

}  // namespace ersatz::ops
