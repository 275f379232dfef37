// The input elements that an output element of a pool covers: ranges of one dim, and boxes of three dims. A 2-d image
// is a volume of depth 1. Both the CPU and CUDA use these functions.
#pragma once

#include <cstdint>

#include "kernels/shape/quotient.h"
#include "runtime/base/host_device.h"

namespace ersatz {

/// The range [begin, end) of indices in one dim.
struct Reach {
  int64_t begin, end;
};

/// Returns the range of inputs that output `o` of a max pool covers. The covered inputs are `dilation` apart.
ERSATZ_HD inline Reach max_reach(int64_t o, int64_t size, int64_t stride, int64_t padding, int64_t dilation,
                                 int64_t in) {
  int64_t begin = o * stride - padding;
  const int64_t end = begin + (size - 1) * dilation + 1;
  if (begin < 0) begin += (-begin + dilation - 1) / dilation * dilation;
  return {begin, end < in ? end : in};
}

/// The inputs that output `o` of an average pool covers. `padded` is the number of inputs including padding.
struct AverageReach {
  int64_t begin, end, padded;
  ERSATZ_HD int64_t inside() const { return end > begin ? end - begin : 0; }
};
ERSATZ_HD inline AverageReach average_reach(int64_t o, int64_t size, int64_t stride, int64_t padding, int64_t in) {
  const int64_t begin = o * stride - padding;
  const int64_t end = begin + size < in + padding ? begin + size : in + padding;
  return {begin > 0 ? begin : 0, end < in ? end : in, end - begin};
}

/// Returns the outputs of an average pool whose windows contain input `i`.
ERSATZ_HD inline Reach average_viewers(int64_t i, int64_t size, int64_t stride, int64_t padding, int64_t out) {
  const int64_t before = i + padding - size;  // a window that begins here ends before i
  const int64_t end = quotient(i + padding, stride) + 1;
  return {before < 0 ? 0 : quotient(before, stride) + 1, end < out ? end : out};
}

/// Returns [floor(o * in / out), ceil((o + 1) * in / out)): the inputs that output `o` of an adaptive pool covers. If
/// `in` and `out` are exchanged, returns the outputs that cover input `o`.
ERSATZ_HD inline Reach adaptive_reach(int64_t o, int64_t in, int64_t out) {
  return {quotient(o * in, out), quotient((o + 1) * in + out - 1, out)};
}

/// The indices begin, begin + step, ... below end, for each of three dims.
struct Box {
  int64_t begin[3], end[3], step[3] = {1, 1, 1};
};

/// The window of a pool with three dims, depth first.
struct Window3d {
  int64_t size[3], stride[3], padding[3], dilation[3] = {1, 1, 1};
};

struct MaxBoxes {
  Window3d w;
  int64_t in[3];
  ERSATZ_HD Box operator()(int64_t i, int64_t j, int64_t k) const {
    Box b;
    const int64_t at[3] = {i, j, k};
    for (int d = 0; d < 3; ++d) {
      const Reach r = max_reach(at[d], w.size[d], w.stride[d], w.padding[d], w.dilation[d], in[d]);
      b.begin[d] = r.begin;
      b.end[d] = r.end;
      b.step[d] = w.dilation[d];
    }
    return b;
  }
};

struct AverageBoxes {
  Window3d w;
  int64_t in[3];
  bool count_padding;
  int64_t fixed;  ///< the divisor of every window; 0: the divisor is the number of elements
  ERSATZ_HD Box operator()(int64_t i, int64_t j, int64_t k) const {
    Box b;
    const int64_t at[3] = {i, j, k};
    for (int d = 0; d < 3; ++d) {
      const AverageReach r = average_reach(at[d], w.size[d], w.stride[d], w.padding[d], in[d]);
      b.begin[d] = r.begin;
      b.end[d] = r.end;
    }
    return b;
  }
  ERSATZ_HD int64_t divisor(int64_t i, int64_t j, int64_t k) const {
    if (fixed) return fixed;
    const int64_t at[3] = {i, j, k};
    int64_t n = 1;
    for (int d = 0; d < 3; ++d) {
      const AverageReach r = average_reach(at[d], w.size[d], w.stride[d], w.padding[d], in[d]);
      n *= count_padding ? r.padded : r.inside();
    }
    return n > 1 ? n : 1;
  }
};

struct AdaptiveBoxes {
  int64_t in[3], out[3];
  ERSATZ_HD Box operator()(int64_t i, int64_t j, int64_t k) const {
    Box b;
    const int64_t at[3] = {i, j, k};
    for (int d = 0; d < 3; ++d) {
      const Reach r = adaptive_reach(at[d], in[d], out[d]);
      b.begin[d] = r.begin;
      b.end[d] = r.end;
    }
    return b;
  }
  ERSATZ_HD int64_t divisor(int64_t i, int64_t j, int64_t k) const {
    const Box b = (*this)(i, j, k);
    return (b.end[0] - b.begin[0]) * (b.end[1] - b.begin[1]) * (b.end[2] - b.begin[2]);
  }
};

}  // namespace ersatz
