// Offsets of indices that may need 64 bits, for reductions and normalisations. DeviceOffsets (device_loop.h) has 32-bit
// indices and would need several launches.
#pragma once

#include "kernels/pointwise/device_loop.h"

namespace ersatz::pointwise {

/// Divides n by one divisor. REQUIRES: 0 <= n < 2^63 and 1 <= divisor < 2^62.
struct LongDivisor {
  int64_t divisor = 1;
  uint64_t magic = 1;
  uint32_t shift = 0;

  LongDivisor() = default;
  explicit LongDivisor(int64_t d) : divisor(d) {
    while ((int64_t(1) << shift) < d) ++shift;
    magic = cuda_module::divide_wide((uint64_t(1) << shift) - static_cast<uint64_t>(d), static_cast<uint64_t>(d)) + 1;
  }
  ERSATZ_HD int64_t divide(int64_t n) const {
    const auto u = static_cast<uint64_t>(n);
    return static_cast<int64_t>((cuda_module::multiply_high(u, magic) + u) >> shift);
  }
  ERSATZ_HD int64_t remainder(int64_t n) const { return n - divide(n) * divisor; }
};

/// Converts an index to an offset in each of N operands. Divisions by sizes are multiplications, in 64 bits if `wide`.
template <int N>
struct LongOffsets {
  using At = typename DeviceOffsets<N>::At;
  DeviceOffsets<N> offsets;
  LongDivisor size[kDeviceDims];
  bool wide = false;

  ERSATZ_HD At of(int64_t i) const {
    At result[1];
    of_each(i, 0, result);
    return result[0];
  }
  /// Sets `result` to the offsets of the indices first, first + by, and so on. The outer loop is over dims, so that the
  /// divisions of several indices run at the same time.
  template <int kCount>
  ERSATZ_HD void of_each(int64_t first, int64_t by, At (&result)[kCount]) const {
    if (wide) return of_each_by<int64_t>(size, first, by, result);
    of_each_by<uint32_t>(offsets.size, first, by, result);
  }
  /// Adds a new innermost dim. REQUIRES: dims are added from the outermost to the innermost.
  void push_inner(int64_t extent, const int64_t (&strides)[N]) {
    for (int d = offsets.dims; d > 0; --d) {
      size[d] = size[d - 1];
      offsets.size[d] = offsets.size[d - 1];
      for (int k = 0; k < N; ++k) offsets.stride[d][k] = offsets.stride[d - 1][k];
    }
    size[0] = LongDivisor(extent);
    if (extent <= kDeviceElements) offsets.size[0] = FastDivisor(static_cast<uint32_t>(extent));
    for (int k = 0; k < N; ++k) offsets.stride[0][k] = strides[k];
    ++offsets.dims;
  }

 private:
  template <class Index, class Divisor, int kCount>
  ERSATZ_HD void of_each_by(const Divisor* sizes, int64_t first, int64_t by, At (&result)[kCount]) const {
    Index rest[kCount];
    ERSATZ_UNROLL
    for (int j = 0; j < kCount; ++j) {
      rest[j] = static_cast<Index>(first + j * by);
      for (int k = 0; k < N; ++k) result[j].at[k] = 0;
    }
    ERSATZ_ROLLED
    for (int d = 0; d < offsets.dims; ++d) {
      ERSATZ_UNROLL
      for (int j = 0; j < kCount; ++j) {
        const Index outer = d + 1 == offsets.dims ? 0 : static_cast<Index>(sizes[d].divide(rest[j]));
        const Index here = rest[j] - outer * static_cast<Index>(sizes[d].divisor);
        for (int k = 0; k < N; ++k) result[j].at[k] += int64_t(here) * offsets.stride[d][k];
        rest[j] = outer;
      }
    }
  }
};

}  // namespace ersatz::pointwise
