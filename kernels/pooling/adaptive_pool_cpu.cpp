#include "kernels/pooling/volume_loops.h"
#include "runtime/kernel.h"

namespace ersatz::op_adaptive_pool {
namespace {

void run_max(KernelCall& call, int spatial) {
  const Tensor in = call.tensor(0);
  if (call.outputs[0].numel().as_int() == 0) return;
  const Volume v = volume_of(in, call.outputs[0], spatial);
  max_of_boxes<kFloats>(in, call.outputs[0], call.outputs[1], spatial,
                        [&](int64_t i, int64_t j, int64_t k) { return adaptive_box(v, i, j, k); });
}

}  // namespace

void run_average_cpu(KernelCall& call) {
  const Tensor in = call.tensor(0);
  if (call.outputs[0].numel().as_int() == 0) return;
  const Volume v = volume_of(in, call.outputs[0], 3);
  auto place = [&](int64_t i, int64_t j, int64_t k) { return adaptive_box(v, i, j, k); };
  average_of_boxes<kFloats>(in, call.outputs[0], 3, place, [&](int64_t i, int64_t j, int64_t k) {
    const Box b = place(i, j, k);
    return (b.end[0] - b.begin[0]) * (b.end[1] - b.begin[1]) * (b.end[2] - b.begin[2]);
  });
}

void run_max2d_cpu(KernelCall& call) { run_max(call, 2); }
void run_max3d_cpu(KernelCall& call) { run_max(call, 3); }

}  // namespace ersatz::op_adaptive_pool
