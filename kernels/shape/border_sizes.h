// The sizes of an image padded with its own elements, and the constraints that reflection pads, replication pads and
// their gradients share.
//
// Included by rules only. Labels C1 to C4 are explained in `kernels/shape/border_pad.h`.
#pragma once

#include "runtime/op/op_entry.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz {

/// Whether the channel dim may have size 0. The batch dim always may.
enum class Channels : bool { Some, MayBeNone };

inline bool is_image(const TensorMeta& in, int64_t spatial, Channels channels) {
  const bool batch = in.dim() == spatial + 2;
  if (!batch && in.dim() != spatial + 1) return false;
  for (size_t d = (batch ? 1 : 0) + (channels == Channels::MayBeNone ? 1 : 0); d < in.sizes.size(); ++d) {
    if (size_eq(in.sizes[d], 0)) return false;
  }
  return true;
}

/// Checks constraints C1 to C4 for `in`. Returns the sizes of `in` with padding added to the last `spatial` dims.
inline DimVec padded_sizes(const RuleCall& call, const TensorMeta& in, std::span<const SymInt> padding, size_t spatial,
                           bool reflect, Channels channels) {
  call.require(padding.size() == 2 * spatial, "C1", "padding must be {} numbers, it is {}", 2 * spatial, padding);
  call.require(is_image(in, static_cast<int64_t>(spatial), channels), "C2",
               "input must be {}-d, or {}-d with a batch, and nothing but the batch may be empty: it is {}",
               spatial + 1, spatial + 2, in);
  DimVec sizes = in.sizes;
  for (size_t i = 0; i < spatial; ++i) {
    const size_t dim = in.sizes.size() - 1 - i;
    const SymInt size = in.sizes[dim], before = padding[2 * i], after = padding[2 * i + 1];
    if (reflect) {
      call.require(check_lt(before, size) && check_lt(after, size), "C3",
                   "padding must be smaller than the dim: it is {} and {} in dim {} of {}", before, after, dim, in);
    }
    sizes[dim] = size + before + after;
    call.require(check_ge(sizes[dim], 1), "C4", "the output would be empty: input is {}, padding is {}", in, padding);
  }
  return sizes;
}

}  // namespace ersatz
