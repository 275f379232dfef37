// Fourier transforms as users call them, made of `_fft_c2c`, `_fft_r2c` and `_fft_c2r`.
//
// Sizes that are asked for cut or zero-pad the input; `norm` is "backward" (the default: the inverse divides by n),
// "forward" (the other way round) or "ortho". Integers and bools become the default dtype.
//
// [fft_X.C1]  "backward", "forward" or "ortho".
// [fft_X.C2]  at least one number to transform in each dim.
// [fft_X.C3]  a real input of rfft, ihfft and theirs of several dims (a type error).
// [fft_X.C4]  as many sizes as dims, no more than the input has, each dim once.
// [fft_X.C5]  at least one dim where real numbers are made or taken.
// [fft_X.C6]  an `out` that is complex, or floating where the results are real.
#pragma once

#include <optional>
#include <string_view>

#include "runtime/op/typed_schema.h"
#include "runtime/tensor/tensor.h"
#include "typed/fft/fft_named.h"

namespace ersatz::op_fft_named {

/// The half of a real input's spectrum that the other one repeats.
/// Real numbers from such a half; n of them, 2 * (size - 1) unless given.
/// The real spectrum of numbers of which one half is given, conjugate to the other; and back.
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

/// `roll` that brings frequency 0 to the middle; and back.
Tensor fft_fftshift(const Tensor& self);
Tensor fft_ifftshift(const Tensor& self);

}  // namespace ersatz::ops
