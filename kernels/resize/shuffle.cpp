#include "kernels/resize/shuffle.h"

#include "kernels/dense_operand.h"
#include "kernels/no_flops.h"
#include "kernels/shape/copy_block.h"
#include "kernels/shape/output_meta.h"
#include "runtime/op/argument_tag.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_shuffle {
namespace {

TensorMeta& start(RuleCall& call) {
  const TensorMeta& self = call.meta(kEach["self"]);
  TensorMeta& out = call.out.fresh();
  out.dtype = self.dtype;
  out.device = self.device;
  out.sizes = self.sizes;
  return out;
}

void lay_out(const RuleCall& call, TensorMeta& out, bool row_major) {
  out.strides = row_major ? contiguous_strides(out.sizes)
                          : strides_for(out.sizes, suggest_memory_format(call.meta(kEach["self"])));
}

/// Sets the strides of the result of pixel_shuffle or pixel_unshuffle. ATen's CPU kernels do not support channels-last
/// volumes (C4).
void lay_out_pixels(const RuleCall& call, TensorMeta& out) {
  const TensorMeta& self = call.meta(kEach["self"]);
  const bool volume = call.device.is_cpu() && suggest_memory_format(self) == MemoryFormat::ChannelsLast3d;
  call.require(!volume, "C4", "self must be row-major or a channels-last image, it is {}", self);
  lay_out(call, out, call.device.is_cuda());
}

/// Makes the checks that pixel_shuffle and pixel_unshuffle share. Returns the factor.
int64_t factor_of(const RuleCall& call) {
  static constexpr Schemas kArgs{kPixelShuffle, kPixelUnshuffle};
  call.require(call.meta(kArgs["self"]).dim() >= 3, "C1", "self must have at least three dims, it is {}",
               call.meta(kArgs["self"]));
  const int64_t factor = call.integer(kShuffled["{}"]);
  call.require(factor > 0, "C2", "the factor must be positive, it is {}", factor);
  return factor;
}

void pixel_shuffle_rule(RuleCall& call) {
  const int64_t factor = factor_of(call);
  TensorMeta& out = start(call);
  const size_t rank = out.sizes.size();
  SymInt& channels = out.sizes[rank - 3];
  const SymInt square = SymInt(factor) * factor;
  call.require(check_eq(floor_mod(channels, square), 0), "C3",
               "channels must be divisible by the square of the factor: self is {}, the factor is {}",
               call.meta(kPixelShuffle["self"]), factor);
  channels = floor_div(channels, square);
  out.sizes[rank - 2] *= factor;
  out.sizes[rank - 1] *= factor;
  lay_out_pixels(call, out);
}

void pixel_unshuffle_rule(RuleCall& call) {
  const int64_t factor = factor_of(call);
  TensorMeta& out = start(call);
  const TensorMeta& self = call.meta(kPixelUnshuffle["self"]);
  const bool cloned = !call.device.is_cuda() && size_eq(self.numel(), 0);
  const size_t rank = out.sizes.size();
  for (size_t d = rank - 2; d < rank; ++d) {
    call.require(check_eq(floor_mod(out.sizes[d], factor), 0), "C3",
                 "height and width must be divisible by the factor: self is {}, the factor is {}",
                 call.meta(kPixelUnshuffle["self"]), factor);
    if (!cloned) out.sizes[d] = floor_div(out.sizes[d], factor);
  }
  if (cloned) {
    out.strides = preserved_strides(self.sizes, self.strides);
    return;
  }
  out.sizes[rank - 3] *= SymInt(factor) * factor;
  lay_out_pixels(call, out);
}

void channel_shuffle_rule(RuleCall& call) {
  const TensorMeta& self = call.meta(kChannelShuffle["self"]);
  call.require(self.dim() > 2, "C1", "self must have more than two dims, it is {}", self);
  const SymInt groups = call.sym(kChannelShuffle["groups"]);
  call.require(check_gt(groups, 0), "C2", "groups must be positive, it is {}", groups);
  call.require(check_eq(floor_mod(self.sizes[1], groups), 0), "C3",
               "channels must be divisible by groups: self is {}, groups is {}", self, groups);
  if (size_eq(self.numel(), 0)) {
    // Returns an alias of self if there is nothing to shuffle, like ATen.
    start_alias(call, call.tensor(kChannelShuffle["self"]));
    return;
  }
  const bool moves = !size_eq(groups, 1) && !size_eq(groups, self.sizes[1]);
  if (call.device.is_cuda() && !moves && is_contiguous(self)) {
    // ATen's channel_shuffle on CUDA consists of views and a copy, which is not needed here. The result is an alias of
    // self.
    start_alias(call, call.tensor(kChannelShuffle["self"]));
    return;
  }
  lay_out(call, start(call), call.device.is_cuda());
}

/// The sizes of one copy, and the strides of its source and of its target.
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

/// Adds the dims of a copy between `channels`, the tensor with more channels, and `pixels`, the tensor with more
/// pixels.
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

}  // namespace

void register_ops(Registry& r) {
  OpEntry& up = r.add(kPixelShuffle)
                    .with_rule(pixel_shuffle_rule)
                    .every_device(run_pixel_shuffle)
                    .count_flops(no_flops)
                    .sample("f32[2,8,3,2], 2")
                    .sample("i64[9,2,1], 3")
                    .refuses("C1", "f32[4,4], 2")
                    .refuses("C2", "f32[4,4,4], 0")
                    .refuses("C3", "f32[6,4,4], 2")
                    .refuses("C4", "f32[2,2,4,3,2]{48,1,12,4,2}, 2");
  OpEntry& down = r.add(kPixelUnshuffle)
                      .with_rule(pixel_unshuffle_rule)
                      .every_device(run_pixel_unshuffle)
                      .count_flops(no_flops)
                      .sample("f32[2,2,6,4], 2")
                      .sample("bool[1,6,3], 3")
                      .refuses("C1", "f32[4,4], 2")
                      .refuses("C2", "f32[4,4,4], -1")
                      .refuses("C3", "f32[2,4,5], 2")
                      .refuses("C4", "f32[2,4,3,4,2]{96,1,32,8,4}, 2");
  OpEntry& channels = r.add(kChannelShuffle)
                          .tag(kMayReturnArgument)
                          .with_rule(channel_shuffle_rule)
                          .every_device(run_channel_shuffle)
                          .count_flops(no_flops)
                          .sample("f32[2,6,3,2], 2")
                          .sample("c64[2,6,3], 3")
                          .refuses("C1", "f32[2,6], 2")
                          .refuses("C2", "f32[2,6,3], 0")
                          .refuses("C3", "f32[2,6,3], 4");
  for (OpEntry* op : {&up, &down, &channels}) r.add_out(*op, "out", kGeneratedForm);
}

}  // namespace ersatz::op_shuffle
