#include "kernels/pooling/volume.h"
#include "kernels/pooling/volume_loops.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_pool3d {

void run_average_cpu(KernelCall& call) {
  const Tensor in = call.tensor(0);
  const Tensor& out = call.outputs[0];
  if (out.numel().as_int() == 0) return;
  const Volume v = volume_of(in, out, 3);
  const AverageBoxes boxes{volume_window(call.ints(1), call.ints(2), call.ints(3)),
                           {v.in[0], v.in[1], v.in[2]},
                           call.boolean(5),
                           call.has(6) ? call.integer(6) : 0};
  average_of_boxes<DTypeSet{DType::F32, DType::F64, DType::I64}>(in, out, 3, boxes);
}

void run_max_cpu(KernelCall& call) {
  const Tensor in = call.tensor(0);
  const Tensor& out = call.outputs[0];
  if (out.numel().as_int() == 0) return;
  const Volume v = volume_of(in, out, 3);
  MaxBoxes boxes{volume_window(call.ints(1), call.ints(2), call.ints(3)), {v.in[0], v.in[1], v.in[2]}};
  spread_triple(call.ints(4), boxes.w.dilation);
  max_of_boxes<kReals>(in, out, call.outputs[1], 3, boxes);
}

}  // namespace ersatz::op_pool3d
