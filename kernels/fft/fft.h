// The three discrete Fourier transforms that all other fft operators call.
//
// `normalization` 0 leaves results unscaled, 1 divides them by the root of the number of transformed elements, and 2
// divides them by that number. fft_layout.h describes the layouts of results. The CPU computes f32 in f32 if the sizes
// have only the prime factors 2, 3 and 5, else in f64.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/fft/fft.h"

namespace ersatz::op_fft {

/// The transform of complex numbers, forward or inverse, over several dims. Without dims, the operator returns a clone
/// of self.
/// [_fft_c2c.C1] self is c64 or c128.
/// [_fft_c2c.C2] each dim exists and occurs once.
/// [_fft_c2c.C4] [_fft_r2c.C4] [_fft_c2r.C4] the input is not empty, for PyTorch before 2.15 on the CPU.
inline constexpr TypedSchema kFftC2c{
    "aten::_fft_c2c(Tensor self, SymInt[] dim, int normalization, bool forward) -> Tensor"};
/// The forward transform of real numbers. If `onesided` is true, the result has only the first size / 2 + 1 elements of
/// the last dim, because the remaining elements are conjugates of these.
/// [_fft_r2c.C1] self is f32 or f64 (other dtypes: a type error, or not implemented).
/// [_fft_r2c.C2] there is at least one dim, each dim exists, and none has size 0 unless the result is empty.
inline constexpr TypedSchema kFftR2c{
    "aten::_fft_r2c(Tensor self, int[] dim, int normalization, bool onesided) -> Tensor"};
/// The inverse transform to real numbers. The result has `last_dim_size` elements in the last dim, and the input has
/// the first last_dim_size / 2 + 1 elements of its spectrum.
/// [_fft_c2r.C1] self is c64 or c128.
/// [_fft_c2r.C2] there is at least one dim, each dim exists, and none has size 0 unless the result is empty. On the CPU
///              the last dim need not exist (F7 in fft_layout.h).
/// [_fft_c2r.C3] let n be the larger of last_dim_size and the input's size in the last dim. Both sizes are n or n / 2 +
/// 1.
///              last_dim_size may also be 0. If F7 applies, last_dim_size is at least the input's size.
inline constexpr TypedSchema kFftC2r{
    "aten::_fft_c2r(Tensor self, int[] dim, int normalization, SymInt last_dim_size) -> Tensor"};
inline constexpr Schemas kEach{kFftC2c, kFftR2c, kFftC2r};
inline constexpr Schemas kHalved{kFftR2c, kFftC2r};

}  // namespace ersatz::op_fft
