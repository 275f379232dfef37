// Discrete Fourier transforms: the three that the others are made of.
//
// `normalization` is 0 for none, 1 to divide by the root of the number of transformed elements, else by that number.
// Layouts are those of fft_layout.h. Everything is computed in f64.
#pragma once

#include "runtime/op/schema_literal.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::op_fft {

inline constexpr Schema kFftC2c{"aten::_fft_c2c(Tensor self, SymInt[] dim, int normalization, bool forward) -> Tensor"};
inline constexpr Schema kFftR2c{"aten::_fft_r2c(Tensor self, int[] dim, int normalization, bool onesided) -> Tensor"};
inline constexpr Schema kFftC2r{
    "aten::_fft_c2r(Tensor self, int[] dim, int normalization, SymInt last_dim_size) -> Tensor"};
inline constexpr Schemas kEach{kFftC2c, kFftR2c, kFftC2r};
inline constexpr Schemas kHalved{kFftR2c, kFftC2r};

}  // namespace ersatz::op_fft

namespace ersatz::ops {

/// Of complex numbers, forward or inverse, over several dims; over none it is `clone`.
/// [_fft_c2c.C1] c64 or c128.
/// [_fft_c2c.C2] dims of the input, each once.
Tensor _fft_c2c(const Tensor& self, std::span<const SymInt> dim, int64_t normalization, bool forward);
/// Forward, of real numbers; `onesided` keeps what the symmetry of the last dim does not repeat, size / 2 + 1.
/// [_fft_r2c.C1] f32 or f64 (others: a type error, or not implemented).
/// [_fft_r2c.C2] dims of the input, at least one, none of size 0 unless the result is empty.
Tensor _fft_r2c(const Tensor& self, std::span<const SymInt> dim, int64_t normalization, bool onesided);
/// Inverse, to real numbers: `last_dim_size` of them in the last dim, of which the input has half and one.
/// [_fft_c2r.C1] c64 or c128.
/// [_fft_c2r.C2] dims of the input, at least one, none of size 0 unless the result is empty.
/// [_fft_c2r.C3] sizes of the last dim that fit each other.
Tensor _fft_c2r(const Tensor& self, std::span<const SymInt> dim, int64_t normalization, SymInt last_dim_size);

}  // namespace ersatz::ops
