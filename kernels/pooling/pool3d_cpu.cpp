#include "kernels/pooling/pool3d.h"
#include "kernels/pooling/volume.h"
#include "kernels/pooling/volume_loops.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_pool3d {

void run_average_cpu(KernelCall& call) {
  const Tensor in = call.tensor(kAvgPool3d["self"]);
  const Tensor& out = call.outputs[0];
  if (out.numel().as_int() == 0) return;
  const Volume v = volume_of(in, out, 3);
  const AverageBoxes boxes{volume_window(call.ints(kAvgPool3d["kernel_size"]), call.ints(kAvgPool3d["stride"]),
                                         call.ints(kAvgPool3d["padding"])),
                           {v.in[0], v.in[1], v.in[2]},
                           call.boolean(kAvgPool3d["count_include_pad"]),
                           call.has(kAvgPool3d["divisor_override"]) ? call.integer(kAvgPool3d["divisor_override"]) : 0};
  average_of_boxes<DTypeSet{DType::F32, DType::F64, DType::I64}>(in, out, 3, boxes);
}

void run_max_cpu(KernelCall& call) {
  const Tensor in = call.tensor(kMaxPool3dWithIndices["self"]);
  const Tensor& out = call.outputs[0];
  if (out.numel().as_int() == 0) return;
  const Volume v = volume_of(in, out, 3);
  MaxBoxes boxes{volume_window(call.ints(kMaxPool3dWithIndices["kernel_size"]),
                               call.ints(kMaxPool3dWithIndices["stride"]), call.ints(kMaxPool3dWithIndices["padding"])),
                 {v.in[0], v.in[1], v.in[2]}};
  spread_triple(call.ints(kMaxPool3dWithIndices["dilation"]), boxes.w.dilation);
  max_of_boxes<kReals>(in, out, call.outputs[1], 3, boxes);
}

}  // namespace ersatz::op_pool3d
