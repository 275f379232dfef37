// Plans how a CUDA kernel iterates over N strided operands of one shape. The host makes the plan; the device converts
// an index to offsets.
//
// The dims are those of the CPU's LoopPlan (loop_plan.h): dims of size 1 are dropped, the others are sorted by the
// output's strides and merged if every operand allows it. A launch covers at most 2^31 - 1 elements and eight dims, and
// larger work is cut into pieces. So indices have 32 bits, and the device can divide them by multiplication. Offsets
// have 64 bits. The division is that of Granlund and Montgomery, "Division by Invariant Integers using Multiplication",
// 1994.
#pragma once

#include <cstddef>
#include <span>

#include "kernels/pointwise/loop_plan.h"
#include "runtime/cuda/device_code.h"

namespace ersatz::pointwise {

/// Divides n by one divisor. REQUIRES: n < 2^31 and 1 <= divisor < 2^31.
struct FastDivisor {
  uint32_t divisor = 1, magic = 1, shift = 0;

  FastDivisor() = default;
  explicit FastDivisor(uint32_t d) : divisor(d) {
    while ((uint64_t(1) << shift) < d) ++shift;
    magic = static_cast<uint32_t>((uint64_t(1) << 32) * ((uint64_t(1) << shift) - d) / d + 1);
  }
  ERSATZ_HD uint32_t divide(uint32_t n) const { return (cuda_module::multiply_high(n, magic) + n) >> shift; }
};

inline constexpr int kDeviceDims = 8;
inline constexpr int64_t kDeviceElements = 2147483647;  ///< most elements of one launch

/// Returns the byte offset of element i in each operand. Element i is counted in the plan's order, dim 0 innermost.
template <int N>
struct DeviceOffsets {
  struct At {
    int64_t at[N];
    ERSATZ_HD int64_t operator[](int i) const { return at[i]; }
  };
  int dims = 0;
  FastDivisor size[kDeviceDims];
  int64_t stride[kDeviceDims][N] = {};

  ERSATZ_HD At of(uint32_t i) const {
    At result;
    for (int k = 0; k < N; ++k) result.at[k] = 0;
    ERSATZ_ROLLED
    for (int d = 0; d < dims; ++d) {
      uint32_t rest = d + 1 == dims ? 0 : size[d].divide(i);
      const uint32_t here = i - rest * size[d].divisor;
      for (int k = 0; k < N; ++k) result.at[k] += int64_t(here) * stride[d][k];
      i = rest;
    }
    return result;
  }
};

template <int N>
struct DevicePiece {
  int64_t numel = 0;
  bool contiguous = false;  ///< each operand has its elements next to each other, in the plan's order
  std::byte* data[N] = {};
  DeviceOffsets<N> offsets;
};

namespace detail {

template <int N, class F>
void cut(std::span<const LoopDim> dims, const int64_t* item, std::byte* const (&data)[N], int64_t most, F&& f) {
  int64_t numel = 1;
  for (const LoopDim& d : dims) numel *= d.size;
  if (numel <= most && dims.size() <= kDeviceDims) {
    DevicePiece<N> piece;
    piece.numel = numel;
    piece.contiguous = dims.size() <= 1;
    for (int k = 0; k < N; ++k) {
      piece.data[k] = data[k];
      piece.contiguous &= dims.empty() || dims[0].stride[k] == item[k];
    }
    piece.offsets.dims = static_cast<int>(dims.size());
    for (size_t d = 0; d < dims.size(); ++d) {
      piece.offsets.size[d] = FastDivisor(static_cast<uint32_t>(dims[d].size));
      for (int k = 0; k < N; ++k) piece.offsets.stride[d][k] = dims[d].stride[k];
    }
    return f(piece);
  }
  // Cuts the outermost dim. If one index of this dim fits a launch, a piece has as many indices as fit. Otherwise a
  // piece has one index and is cut further.
  const LoopDim& outer = dims.back();
  const int64_t inner = numel / outer.size;
  const bool runs = inner <= most && dims.size() <= kDeviceDims;
  const int64_t step = runs ? most / inner : 1;
  for (int64_t at = 0; at < outer.size; at += step) {
    std::byte* moved[N];
    for (int k = 0; k < N; ++k) moved[k] = data[k] + at * outer.stride[k];
    if (!runs) {
      cut<N>(dims.first(dims.size() - 1), item, moved, most, f);
      continue;
    }
    InlineVec<LoopDim, 6> shorter;
    for (const LoopDim& d : dims) shorter.push_back(d);
    shorter[shorter.size() - 1].size = std::min(step, outer.size - at);
    cut<N>({shorter.data(), shorter.size()}, item, moved, most, f);
  }
}

}  // namespace detail

/// Calls f(DevicePiece<N>) once for each launch. If there are no elements, does not call f. operands[0] is the output.
template <int N, class F>
void for_each_piece(std::span<const int64_t> sizes, std::span<const LoopOperand> operands, F&& f,
                    int64_t most = kDeviceElements) {
  const LoopPlan plan(sizes, operands);
  if (plan.numel == 0) return;
  InlineVec<LoopDim, 6> dims;
  for (const LoopDim& d : plan.dims) {
    if (d.size > 1) dims.push_back(d);
  }
  std::byte* data[N];
  int64_t item[N];
  for (int k = 0; k < N; ++k) {
    data[k] = operands[k].data;
    item[k] = operands[k].item;
  }
  detail::cut<N>({dims.data(), dims.size()}, item, data, most, f);
}

}  // namespace ersatz::pointwise
