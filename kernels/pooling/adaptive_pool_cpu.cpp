#include "kernels/pooling/adaptive_pool.h"
#include "kernels/pooling/volume_loops.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_adaptive_pool {
namespace {

AdaptiveBoxes boxes_of(const Volume& v) { return {{v.in[0], v.in[1], v.in[2]}, {v.out[0], v.out[1], v.out[2]}}; }

void run_max(KernelCall& call, int spatial) {
  const Tensor in = call.tensor(kMaxima["self"]);
  if (call.outputs[0].numel().as_int() == 0) return;
  const Volume v = volume_of(in, call.outputs[0], spatial);
  max_of_boxes<kFloats>(in, call.outputs[0], call.outputs[1], spatial, boxes_of(v));
}

}  // namespace

void run_average_cpu(KernelCall& call) {
  const Tensor in = call.tensor(kAdaptiveAvgPool3dKernel["self"]);
  if (call.outputs[0].numel().as_int() == 0) return;
  const Volume v = volume_of(in, call.outputs[0], 3);
  average_of_boxes<kFloats>(in, call.outputs[0], 3, boxes_of(v));
}

void run_max2d_cpu(KernelCall& call) { run_max(call, 2); }
void run_max3d_cpu(KernelCall& call) { run_max(call, 3); }

}  // namespace ersatz::op_adaptive_pool
