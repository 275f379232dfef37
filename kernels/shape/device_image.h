// Image batches on CUDA: reads tensors of any strides as [images, channels, depth, height, width], and numbers their
// elements in the order of an output's memory.
#pragma once

#include "kernels/shape/quotient.h"
#include "runtime/cuda/device_code.h"
#include "runtime/tensor/tensor.h"

namespace ersatz {

struct ImagePoint {
  int64_t at[5];
};

/// Sizes and strides of an image batch as five dims. A dim that the tensor does not have has size 1.
struct ImageShape {
  int64_t size[5] = {1, 1, 1, 1, 1}, stride[5] = {};

  ImageShape() = default;
  /// REQUIRES: the last `spatial` dims of `t` are the spatial dims of an image; a batch dim and a channel dim may
  /// precede them.
  ImageShape(const Tensor& t, int spatial) {
    const auto sizes = as_ints(t.sizes()), strides = as_ints(t.strides());
    const size_t lead = sizes.size() - static_cast<size_t>(spatial);
    for (size_t d = 0; d < sizes.size(); ++d) {
      const size_t to = d < lead ? 2 - lead + d : 5 - sizes.size() + d;
      size[to] = sizes[d];
      stride[to] = strides[d];
    }
  }
  ERSATZ_DEVICE int64_t plane(const ImagePoint& p) const { return p.at[0] * stride[0] + p.at[1] * stride[1]; }
  ERSATZ_DEVICE int64_t offset(const ImagePoint& p) const {
    return plane(p) + p.at[2] * stride[2] + p.at[3] * stride[3] + p.at[4] * stride[4];
  }
};

/// Numbers the elements of an image batch. Channels vary fastest if their stride is 1.
struct ImageOrder {
  int64_t size[5];
  bool channels_last;

  explicit ImageOrder(const ImageShape& out) : channels_last(out.stride[1] == 1 && out.size[1] > 1) {
    for (int d = 0; d < 5; ++d) size[d] = out.size[d];
  }
  int64_t count() const { return size[0] * size[1] * size[2] * size[3] * size[4]; }
  ERSATZ_DEVICE ImagePoint point(int64_t i) const {
    ImagePoint p;
    if (channels_last) p.at[1] = take(i, size[1]);
    for (int d = 4; d >= 2; --d) p.at[d] = take(i, size[d]);
    if (!channels_last) p.at[1] = take(i, size[1]);
    p.at[0] = i;
    return p;
  }

 private:
  /// Divides `i` by `size`: returns the remainder and sets `i` to the quotient.
  ERSATZ_DEVICE static int64_t take(int64_t& i, int64_t size) {
    const int64_t whole = quotient(i, size), rest = i - whole * size;
    i = whole;
    return rest;
  }
};

}  // namespace ersatz
