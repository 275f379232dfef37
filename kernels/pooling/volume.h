// Windows of 3-d pooling, and the checks that rules of 3-d pools share.
//
// The formulas are those of ATen's `pool3d_shape_check`. Files with rules include this header. Files with kernels
// include it for `volume_window`. For kernels a 2-d image is a volume of depth 1.
#pragma once

#include "kernels/pooling/boxes.h"
#include "kernels/pooling/pool3d.h"
#include "kernels/pooling/window.h"

namespace ersatz {

/// Sets `to` for the last `spatial` dims. `v` has one int for all these dims, or one for each.
inline void spread_triple(std::span<const int64_t> v, int64_t (&to)[3], int spatial = 3) {
  for (int d = 0; d < spatial; ++d) to[3 - spatial + d] = v[v.size() == 1 ? 0 : static_cast<size_t>(d)];
}
/// Reads an argument of one int or three. Raises C1 for a wrong number of ints.
inline void read_triple(const RuleCall& call, Position argument, int64_t (&to)[3]) {
  const auto v = call.ints(argument);
  call.require(v.size() == 1 || v.size() == 3, "C1", "{} must be one int or three, it has {}",
               call.op.schema.arguments[argument].name, v.size());
  for (size_t d = 0; d < 3; ++d) to[d] = v[v.size() == 1 ? 0 : d].guard_int();
}
/// Reads kernel_size, stride and padding from arguments 1 to 3. An empty stride is kernel_size.
inline Window3d read_volume_window(const RuleCall& call) {
  Window3d w;
  read_triple(call, op_pool3d::kEach["kernel_size"], w.size);
  read_triple(call, call.ints(op_pool3d::kEach["stride"]).empty() ? 1 : 2, w.stride);
  read_triple(call, op_pool3d::kEach["padding"], w.padding);
  return w;
}
inline Window3d volume_window(std::span<const int64_t> size, std::span<const int64_t> stride,
                              std::span<const int64_t> padding, int spatial = 3) {
  Window3d w{{1, 1, 1}, {1, 1, 1}, {0, 0, 0}};
  spread_triple(size, w.size, spatial);
  spread_triple(stride.empty() ? size : stride, w.stride, spatial);
  spread_triple(padding, w.padding, spatial);
  return w;
}

/// Raises `label` unless the input is 4-d, or 5-d with a batch. Only the batch may be empty. If `channels_count` is
/// false, the channels of an input without batch may be empty too.
inline void require_volume(const RuleCall& call, std::string_view label, bool channels_count = true) {
  const TensorMeta& in = call.meta(op_pool3d::kEach["self"]);
  bool filled = in.dim() == 4 || in.dim() == 5;
  for (size_t d = in.dim() == 5 || !channels_count ? 1 : 0; filled && d < in.sizes.size(); ++d) {
    filled = size_ne(in.sizes[d], 0);
  }
  call.require(filled, label,
               "input must be [channels, depth, height, width], or a batch of them, with no empty dim but the batch: "
               "it is {}",
               in);
}

/// Returns the sizes of the output. Raises C2, C3 or C4 if window or input violate these conditions.
inline DimVec pooled_volume(const RuleCall& call, const Window3d& w, bool ceil_mode) {
  const TensorMeta& in = call.meta(op_pool3d::kEach["self"]);
  for (int d = 0; d < 3; ++d) {
    call.require(w.size[d] > 0 && w.stride[d] > 0 && w.dilation[d] > 0, "C2",
                 "kernel size, stride and dilation must be positive: they are {}, {} and {} in dim {}", w.size[d],
                 w.stride[d], w.dilation[d], d);
  }
  require_volume(call, "C3");
  DimVec sizes = in.sizes;
  for (int d = 0; d < 3; ++d) {
    call.require(w.padding[d] >= 0 && w.padding[d] <= w.size[d] / 2, "C2",
                 "padding must be between 0 and half the kernel size: kernel size is {}, padding is {}", w.size[d],
                 w.padding[d]);
    SymInt& size = sizes[sizes.size() - 3 + size_t(d)];
    size = pooled_size(size, w.size[d], w.stride[d], w.padding[d], w.dilation[d], ceil_mode);
    call.require(check_ge(size, 1), "C4", "the output would be empty: input is {}, output size is {} in dim {}", in,
                 size, d);
  }
  return sizes;
}

}  // namespace ersatz
