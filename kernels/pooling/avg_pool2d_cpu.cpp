#include "kernels/pooling/averaging.h"
#include "kernels/pooling/avg_pool2d.h"
#include "kernels/pooling/boxes.h"
#include "kernels/pooling/window.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_avg_pool2d {

void run_cpu(KernelCall& call) {
  const Tensor in = call.tensor(kAvgPool2d["self"]), &out = call.outputs[0];
  if (out.numel().as_int() == 0) return;
  Window2d w;
  read_pair(call.ints(kAvgPool2d["kernel_size"]), w.size);
  read_pair(
      call.ints(kAvgPool2d["stride"]).empty() ? call.ints(kAvgPool2d["kernel_size"]) : call.ints(kAvgPool2d["stride"]),
      w.stride);
  read_pair(call.ints(kAvgPool2d["padding"]), w.padding);
  const bool count_padding = call.boolean(kAvgPool2d["count_include_pad"]);
  const int64_t fixed = call.has(kAvgPool2d["divisor_override"]) ? call.integer(kAvgPool2d["divisor_override"]) : 0;
  const int64_t limit[2] = {in.size(-2).as_int(), in.size(-1).as_int()};
  average_boxes(in, out, [&](int64_t h, int64_t v) {
    AverageBox b;
    int64_t padded = 1, inside = 1;
    for (int d = 0; d < 2; ++d) {
      const AverageReach r = average_reach(d == 0 ? h : v, w.size[d], w.stride[d], w.padding[d], limit[d]);
      b.begin[d] = r.begin;
      b.end[d] = r.end;
      padded *= r.padded;
      inside *= r.inside();
    }
    b.divisor = fixed ? fixed : count_padding ? padded : std::max<int64_t>(inside, 1);
    return b;
  });
}

}  // namespace ersatz::op_avg_pool2d
