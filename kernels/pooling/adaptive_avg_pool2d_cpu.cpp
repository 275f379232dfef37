#include "kernels/pooling/adaptive_avg_pool2d.h"
#include "kernels/pooling/averaging.h"
#include "kernels/pooling/boxes.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_adaptive_avg_pool2d {

void run_cpu(KernelCall& call) {
  const Tensor in = call.tensor(kAdaptiveAvgPool2dKernel["self"]), &out = call.outputs[0];
  if (out.numel().as_int() == 0) return;
  const int64_t from[2] = {in.size(-2).as_int(), in.size(-1).as_int()};
  const int64_t to[2] = {out.size(-2).as_int(), out.size(-1).as_int()};
  average_boxes(in, out, [&](int64_t h, int64_t w) {
    AverageBox b;
    b.divisor = 1;
    for (int d = 0; d < 2; ++d) {
      const Reach r = adaptive_reach(d == 0 ? h : w, from[d], to[d]);
      b.begin[d] = r.begin;
      b.end[d] = r.end;
      b.divisor *= r.end - r.begin;
    }
    return b;
  });
}

}  // namespace ersatz::op_adaptive_avg_pool2d
