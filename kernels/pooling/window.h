// Windows of 2-d pooling. Rules read sizes, strides, padding and dilation here, and compute output sizes.
//
// The formulas are those of ATen's `pooling_output_shape` and `pool2d_shape_check`. Files with rules include this
// header. Files with kernels include it for `Window2d`.
#pragma once

#include "runtime/op/op_entry.h"
#include "runtime/op/schema_literal.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz {

/// The schemas of all operators with sliding windows begin with these arguments.
inline constexpr Schema kWindowed{"aten::{}(Tensor self, int[] kernel_size, int[] stride, int[] padding, {}) -> {}"};

/// The window of a 2-d pool. Index 0 of each array is for the height, index 1 for the width.
struct Window2d {
  int64_t size[2], stride[2], padding[2], dilation[2];
};

/// Reads an argument of one int, for both dims, or of two ints. Raises `label` for a wrong number of ints.
inline void read_pair(const RuleCall& call, Position argument, int64_t (&to)[2], std::string_view label) {
  const auto v = call.ints(argument);
  call.require(v.size() == 1 || v.size() == 2, label, "{} must be one int or two, it has {}",
               call.op.schema.arguments[argument].name, v.size());
  to[0] = v[0].guard_int();
  to[1] = v.size() == 1 ? to[0] : v[1].guard_int();
}

/// Reads one int for both dims, or two ints, in a kernel. REQUIRES: the rule has checked the argument.
inline void read_pair(std::span<const int64_t> v, int64_t (&to)[2]) {
  to[0] = v[0];
  to[1] = v.size() == 1 ? v[0] : v[1];
}

/// Returns the output size of one dim whose input size is `in`.
inline SymInt pooled_size(SymInt in, int64_t size, int64_t stride, int64_t padding, int64_t dilation, bool ceil_mode) {
  SymInt out = floor_div(in + (2 * padding - dilation * (size - 1) - 1 + (ceil_mode ? stride - 1 : 0)), stride) + 1;
  // The last window must start inside the image or its left padding.
  if (ceil_mode && size_ge((out - 1) * stride, in + padding)) out = out - 1;
  return out;
}
inline SymInt pooled_size(SymInt in, const Window2d& w, int d, bool ceil_mode) {
  return pooled_size(in, w.size[d], w.stride[d], w.padding[d], w.dilation[d], ceil_mode);
}

/// Returns whether an image has too many points for the indices of ATen's channels-last max pools. Their loops store
/// indices in integers of the size of the input's dtype.
inline bool overflows_index(const RuleCall& call, SymInt points) {
  const DType t = call.meta(kWindowed["self"]).dtype;
  if (call.device.is_cuda() || call.device.is_meta() || !is_integer(t)) return false;
  const int bits = int(item_size(t)) * 8 - 1;
  return bits < 63 && size_gt(points, (int64_t(1) << bits) - 1);
}

/// Reads kernel_size, stride and padding from arguments 1 to 3. An empty stride is kernel_size. Raises `label` for a
/// wrong number of ints.
inline void read_window(const RuleCall& call, Window2d& w, std::string_view label) {
  read_pair(call, kWindowed["kernel_size"], w.size, label);
  if (call.ints(kWindowed["stride"]).empty()) {
    w.stride[0] = w.size[0], w.stride[1] = w.size[1];
  } else {
    read_pair(call, kWindowed["stride"], w.stride, label);
  }
  read_pair(call, kWindowed["padding"], w.padding, label);
  w.dilation[0] = w.dilation[1] = 1;
}

/// Checks input and window, and returns the output's metadata, with dtype and device of the input. Errors have the
/// labels `window_label`, `input_label` and `output_label`.
inline TensorMeta pooled_meta(const RuleCall& call, const Window2d& w, bool ceil_mode, std::string_view window_label,
                              std::string_view input_label, std::string_view output_label) {
  const TensorMeta& in = call.meta(kWindowed["self"]);
  for (int d = 0; d < 2; ++d) {
    call.require(w.size[d] > 0 && w.stride[d] > 0 && w.dilation[d] > 0, window_label,
                 "kernel size, stride and dilation must be positive: they are {}, {} and {} in dim {}", w.size[d],
                 w.stride[d], w.dilation[d], d);
    // ATen has two upper limits for the padding. The second limit ignores the dilation.
    call.require(
        w.padding[d] >= 0 && 2 * w.padding[d] <= (w.size[d] - 1) * w.dilation[d] + 1 && w.padding[d] <= w.size[d] / 2,
        window_label, "padding must be between 0 and half the kernel size: kernel size is {}, padding is {}", w.size[d],
        w.padding[d]);
  }
  bool filled = in.dim() == 3 || in.dim() == 4;
  for (int64_t d = in.dim() == 4 ? 1 : 0; filled && d < in.dim(); ++d) filled = size_ne(in.sizes[size_t(d)], 0);
  call.require(filled, input_label,
               "input must be [channels, height, width], or a batch of them, with no empty dim but the batch: it is {}",
               in);
  TensorMeta out(in.dtype, std::span<const SymInt>(), std::span<const SymInt>(), in.device);
  out.sizes = in.sizes;
  for (int d = 0; d < 2; ++d) {
    SymInt& size = out.sizes[out.sizes.size() - 2 + size_t(d)];
    size = pooled_size(size, w, d, ceil_mode);
    call.require(check_ge(size, 1), output_label, "the output would be empty: input is {}, output size is {} in dim {}",
                 in, size, d);
  }
  out.strides = in.dim() == 4 ? strides_for(out.sizes, suggest_memory_format(in)) : contiguous_strides(out.sizes);
  return out;
}

}  // namespace ersatz
