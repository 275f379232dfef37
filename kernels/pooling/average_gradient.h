// Gradients of averages, for the CPU and CUDA. Each element of the incoming gradient, divided by its window's divisor,
// is added to all elements of the window. The template parameter `Engine` has this function:
//   static void spread(KernelCall&, int spatial, const Windows&);
#pragma once

#include "kernels/pooling/boxes.h"
#include "kernels/pooling/pool_backward.h"
#include "kernels/pooling/volume.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_pool_backward {

/// The windows of an average pool. `viewers` returns the windows that contain the input element (i, j, k).
struct AverageWindows : AverageBoxes {
  int64_t out[3];
  ERSATZ_HD Box viewers(int64_t i, int64_t j, int64_t k) const {
    Box b;
    const int64_t at[3] = {i, j, k};
    for (int d = 0; d < 3; ++d) {
      const Reach r = average_viewers(at[d], w.size[d], w.stride[d], w.padding[d], out[d]);
      b.begin[d] = r.begin;
      b.end[d] = r.end;
    }
    return b;
  }
};
struct AdaptiveWindows : AdaptiveBoxes {
  ERSATZ_HD Box viewers(int64_t i, int64_t j, int64_t k) const {
    Box b;
    const int64_t at[3] = {i, j, k};
    for (int d = 0; d < 3; ++d) {
      const Reach r = adaptive_reach(at[d], out[d], in[d]);
      b.begin[d] = r.begin;
      b.end[d] = r.end;
    }
    return b;
  }
};

/// Returns the last `spatial` sizes of the pool's input and of the pool's result.
inline AdaptiveWindows extents(const KernelCall& call, int spatial) {
  AdaptiveWindows sizes{{{1, 1, 1}, {1, 1, 1}}};
  const auto read = [spatial](const Tensor& t, int64_t(&to)[3]) {
    const auto all = as_ints(t.sizes());
    spread_triple(all.last(static_cast<size_t>(spatial)), to, spatial);
  };
  read(call.outputs[0], sizes.in);
  read(call.tensor(kEach["grad_output"]), sizes.out);
  return sizes;
}

template <class Engine, int spatial>
void average(KernelCall& call) {
  if (call.outputs[0].numel().as_int() == 0) return;
  const AdaptiveWindows sizes = extents(call, spatial);
  const AverageBoxes boxes{volume_window(call.ints(kAverages["kernel_size"]), call.ints(kAverages["stride"]),
                                         call.ints(kAverages["padding"]), spatial),
                           {sizes.in[0], sizes.in[1], sizes.in[2]},
                           call.boolean(kAverages["count_include_pad"]),
                           call.has(kAverages["divisor_override"]) ? call.integer(kAverages["divisor_override"]) : 0};
  Engine::spread(call, spatial, AverageWindows{boxes, {sizes.out[0], sizes.out[1], sizes.out[2]}});
}
template <class Engine, int spatial>
void adaptive_average(KernelCall& call) {
  if (call.outputs[0].numel().as_int() == 0) return;
  Engine::spread(call, spatial, extents(call, spatial));
}

}  // namespace ersatz::op_pool_backward
