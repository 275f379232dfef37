#include "kernels/pooling/averaging.h"
#include "runtime/kernel.h"

namespace ersatz::op_adaptive_avg_pool2d {

void run_cpu(KernelCall& call) {
  const Tensor in = call.tensor(0), &out = call.outputs[0];
  if (out.numel().as_int() == 0) return;
  const int64_t from[2] = {in.size(-2).as_int(), in.size(-1).as_int()};
  const int64_t to[2] = {out.size(-2).as_int(), out.size(-1).as_int()};
  average_boxes(in, out, [&](int64_t h, int64_t w) {
    AverageBox b;
    b.divisor = 1;
    for (int d = 0; d < 2; ++d) {
      const int64_t at = d == 0 ? h : w;
      b.begin[d] = at * from[d] / to[d];
      b.end[d] = ((at + 1) * from[d] + to[d] - 1) / to[d];
      b.divisor *= b.end[d] - b.begin[d];
    }
    return b;
  });
}

}  // namespace ersatz::op_adaptive_avg_pool2d
