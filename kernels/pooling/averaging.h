// The loops of averaging pools: each output is the sum over a box of the image, divided by a number.
//
// A row-major image is processed plane by plane. In a channels-last image, all channels of a point are processed
// together. _cpu.cpp files include this header.
#pragma once

#include <memory>

#include "kernels/compute_type.h"
#include "kernels/dense_operand.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/base/parallel.h"

namespace ersatz {

/// A box [begin, end) in each dim, and the number that the box's sum is divided by.
struct AverageBox {
  int64_t begin[2], end[2];
  int64_t divisor;
};

/// Returns a + b. Sums of integers wrap around, like in ATen.
template <class T>
T wrapping_sum(T a, T b) {
  if constexpr (std::is_integral_v<T>) return static_cast<T>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
  return a + b;
}

/// Computes out[.., h, w] = sum(in over box(h, w)) / divisor. REQUIRES: both tensors are 3-d or 4-d, and not empty.
template <class Box>
void average_boxes(const Tensor& input, const Tensor& result, Box&& box) {
  const MemoryFormat format = image_format(result);
  const Tensor in = dense_input(input, format);
  DenseOutput out(result, format);
  const size_t rank = in.sizes().size();
  auto size = [&](const Tensor& t, size_t from_end) { return t.sizes()[rank - from_end].as_int(); };
  const int64_t images = rank == 4 ? size(in, 4) : 1, channels = size(in, 3);
  const int64_t in_h = size(in, 2), in_w = size(in, 1), out_h = size(out.tensor, 2), out_w = size(out.tensor, 1);
  const bool channels_last = format != MemoryFormat::Contiguous;
  dispatch_dtype<kFloats | DTypeSet{DType::I64}>(in.dtype(), [&]<class T>() {
    using Acc = Compute_t<T>;
    const T* x = reinterpret_cast<const T*>(in.raw_data());
    T* y = reinterpret_cast<T*>(out.tensor.raw_data());
    // A channels-last image counts as one plane, in which each point has all channels.
    const int64_t planes = channels_last ? images : images * channels, depth = channels_last ? channels : 1;
    parallel_for(planes * out_h, 1 + (1 << 13) / (out_w * depth), [&](int64_t begin, int64_t end) {
      std::unique_ptr<Acc[]> sums(new Acc[depth]);
      for (int64_t row = begin; row < end; ++row) {
        const T* plane = x + row / out_h * in_h * in_w * depth;
        for (int64_t w = 0; w < out_w; ++w) {
          const AverageBox b = box(row % out_h, w);
          std::fill_n(sums.get(), depth, Acc(0));
          for (int64_t i = b.begin[0]; i < b.end[0]; ++i) {
            for (int64_t j = b.begin[1]; j < b.end[1]; ++j) {
              const T* from = plane + (i * in_w + j) * depth;
              for (int64_t c = 0; c < depth; ++c) sums[c] = wrapping_sum(sums[c], Acc(from[c]));
            }
          }
          T* to = y + (row * out_w + w) * depth;
          for (int64_t c = 0; c < depth; ++c) to[c] = T(sums[c] / Acc(b.divisor));
        }
      }
    });
  });
  out.finish();
}

}  // namespace ersatz
