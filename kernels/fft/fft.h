// The three discrete Fourier transforms that all others call.
//
// `normalization` 0 is none, 1 divides by the root of the number of transformed elements, 2 by that number. Layouts are
// those of fft_layout.h. f32 is computed in f32 if the sizes have only the prime factors 2, 3 and 5, else in f64.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/fft/fft.h"

namespace ersatz::op_fft {

/// The transform of complex numbers, forward or inverse, over several dims. Without dims it is `clone`.
/// [_fft_c2c.C1] c64 or c128.
/// [_fft_c2c.C2] each dim exists and occurs once.
/// [_fft_c2c.C4] [_fft_r2c.C4] [_fft_c2r.C4] for PyTorch before 2.15 on the CPU, the input is not empty.
inline constexpr TypedSchema kFftC2c{
    "aten::_fft_c2c(Tensor self, SymInt[] dim, int normalization, bool forward) -> Tensor"};
/// The forward transform of real numbers. `onesided` keeps the first size / 2 + 1 elements of the last dim; the others
/// are their conjugates.
/// [_fft_r2c.C1] f32 or f64 (others: a type error, or not implemented).
/// [_fft_r2c.C2] at least one dim, each exists, and none has size 0 unless the result is empty.
inline constexpr TypedSchema kFftR2c{
    "aten::_fft_r2c(Tensor self, int[] dim, int normalization, bool onesided) -> Tensor"};
/// The inverse transform to real numbers: the last dim gets `last_dim_size` elements, of which the input has half plus
/// one.
/// [_fft_c2r.C1] c64 or c128.
/// [_fft_c2r.C2] at least one dim, each exists, and none has size 0 unless the result is empty; on the CPU the last dim
///               may not exist (F7 of fft_layout.h).
/// [_fft_c2r.C3] with n the larger of last_dim_size and the input's size in the last dim, both are n or n / 2 + 1;
///               last_dim_size may also be 0. Under F7 last_dim_size is at least the input's size.
inline constexpr TypedSchema kFftC2r{
    "aten::_fft_c2r(Tensor self, int[] dim, int normalization, SymInt last_dim_size) -> Tensor"};
inline constexpr Schemas kEach{kFftC2c, kFftR2c, kFftC2r};
inline constexpr Schemas kHalved{kFftR2c, kFftC2r};

}  // namespace ersatz::op_fft
