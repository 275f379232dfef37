#include "kernels/dense_operand.h"
#include "kernels/resize/shuffle.h"
#include "kernels/shape/copy_block.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_shuffle {
namespace {

/// Sizes and both sides' strides of one copy, dim by dim.
struct Walk {
  InlineVec<int64_t, 8> sizes, from, to;
  void add(int64_t size, int64_t from_stride, int64_t to_stride) {
    sizes.push_back(size);
    from.push_back(from_stride);
    to.push_back(to_stride);
  }
};

void copy(const Walk& w, const Tensor& out, const Tensor& in) {
  copy_block(out.device(), w.sizes, out.raw_data(), out.dtype(), w.to, in.raw_data(), in.dtype(), w.from);
}

/// Walks the many channels of one side with the many pixels of the other.
template <class Add>
void walk_pixels(Walk& w, const Tensor& channels, const Tensor& pixels, int64_t factor, Add&& add) {
  const auto sizes = as_ints(channels.sizes()), c = as_ints(channels.strides()), p = as_ints(pixels.strides());
  const size_t rank = sizes.size();
  for (size_t d = 0; d + 3 < rank; ++d) add(w, sizes[d], c[d], p[d]);
  add(w, sizes[rank - 3] / (factor * factor), c[rank - 3] * factor * factor, p[rank - 3]);
  for (size_t d = rank - 2; d < rank; ++d) {
    add(w, sizes[d], c[d], p[d] * factor);
    add(w, factor, d == rank - 2 ? c[rank - 3] * factor : c[rank - 3], p[d]);
  }
}

}  // namespace

void run_pixel_shuffle(KernelCall& call) {
  const Tensor in = plain_input(call.tensor(kPixelShuffle["self"])), &out = call.outputs[0];
  if (out.numel().as_int() == 0) return;
  Walk w;
  walk_pixels(w, in, out, call.integer(kPixelShuffle["upscale_factor"]),
              [](Walk& walk, int64_t n, int64_t c, int64_t p) { walk.add(n, c, p); });
  copy(w, out, in);
}

void run_pixel_unshuffle(KernelCall& call) {
  const Tensor in = plain_input(call.tensor(kPixelUnshuffle["self"])), &out = call.outputs[0];
  if (out.numel().as_int() == 0) return;
  Walk w;
  walk_pixels(w, out, in, call.integer(kPixelUnshuffle["downscale_factor"]),
              [](Walk& walk, int64_t n, int64_t c, int64_t p) { walk.add(n, p, c); });
  copy(w, out, in);
}

void run_channel_shuffle(KernelCall& call) {
  const Tensor in = plain_input(call.tensor(kChannelShuffle["self"])), &out = call.outputs[0];
  if (out.numel().as_int() == 0) return;
  const auto sizes = as_ints(in.sizes()), from = as_ints(in.strides()), to = as_ints(out.strides());
  const int64_t groups = call.integer(kChannelShuffle["groups"]), each = sizes[1] / groups;
  Walk w;
  w.add(sizes[0], from[0], to[0]);
  w.add(groups, from[1] * each, to[1]);
  w.add(each, from[1], to[1] * groups);
  for (size_t d = 2; d < sizes.size(); ++d) w.add(sizes[d], from[d], to[d]);
  copy(w, out, in);
}

}  // namespace ersatz::op_shuffle
