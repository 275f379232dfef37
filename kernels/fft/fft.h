// Discrete Fourier transforms: the three that the others are made of.
//
// `normalization` is 0 for none, 1 to divide by the root of the number of transformed elements, else by that number.
// Layouts are those of fft_layout.h. f32 is computed in f32 where the sizes have no prime factors but 2, 3 and 5, else
// in f64.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/fft/fft.h"

namespace ersatz::op_fft {

/// Of complex numbers, forward or inverse, over several dims; over none it is `clone`.
/// [_fft_c2c.C1] c64 or c128.
/// [_fft_c2c.C2] dims of the input, each once.
/// [_fft_c2c.C4] [_fft_r2c.C4] [_fft_c2r.C4] with PyTorch before 2.15 on the CPU, an input with elements.
inline constexpr TypedSchema kFftC2c{
    "aten::_fft_c2c(Tensor self, SymInt[] dim, int normalization, bool forward) -> Tensor"};
/// Forward, of real numbers; `onesided` keeps what the symmetry of the last dim does not repeat, size / 2 + 1.
/// [_fft_r2c.C1] f32 or f64 (others: a type error, or not implemented).
/// [_fft_r2c.C2] dims of the input, at least one, none of size 0 unless the result is empty.
inline constexpr TypedSchema kFftR2c{
    "aten::_fft_r2c(Tensor self, int[] dim, int normalization, bool onesided) -> Tensor"};
/// Inverse, to real numbers: `last_dim_size` of them in the last dim, of which the input has half and one.
/// [_fft_c2r.C1] c64 or c128.
/// [_fft_c2r.C2] dims of the input, at least one, none of size 0 unless the result is empty; on the CPU the last may be
///     none of the input's (F7 of fft_layout.h).
/// [_fft_c2r.C3] the size of the input's last transformed dim and last_dim_size are each n or n / 2 + 1, n being the
///     larger of both; last_dim_size may also be 0. Under F7 last_dim_size is at least the input's size.
inline constexpr TypedSchema kFftC2r{
    "aten::_fft_c2r(Tensor self, int[] dim, int normalization, SymInt last_dim_size) -> Tensor"};
inline constexpr Schemas kEach{kFftC2c, kFftR2c, kFftC2r};
inline constexpr Schemas kHalved{kFftR2c, kFftC2r};

}  // namespace ersatz::op_fft
