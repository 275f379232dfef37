// Average pools of two and three dims on CUDA.
#include "kernels/pooling/device_pool.h"
#include "runtime/cuda/attach.h"

namespace ersatz::op_avg_pool2d {
namespace {

template <int kSpatial>
void windows_cuda(KernelCall& call) {
  if (call.outputs[0].numel().as_int() == 0) return;
  const ImageShape in(call.tensor(0), kSpatial);
  pool_average<kFloats>(call, kSpatial,
                        AverageBoxes{device_window(call, kSpatial, false),
                                     {in.size[2], in.size[3], in.size[4]},
                                     call.boolean(5),
                                     call.has(6) ? call.integer(6) : 0});
}

template <int kSpatial>
void adaptive_cuda(KernelCall& call) {
  if (call.outputs[0].numel().as_int() == 0) return;
  const ImageShape in(call.tensor(0), kSpatial), out(call.outputs[0], kSpatial);
  pool_average<kFloats>(call, kSpatial,
                        AdaptiveBoxes{{in.size[2], in.size[3], in.size[4]}, {out.size[2], out.size[3], out.size[4]}});
}

}  // namespace

void attach_cuda(Registry& registry) {
  cuda_module::attach(registry, "aten.avg_pool2d.default", windows_cuda<2>);
  cuda_module::attach(registry, "aten.avg_pool3d.default", windows_cuda<3>);
  cuda_module::attach(registry, "aten._adaptive_avg_pool2d.default", adaptive_cuda<2>);
  cuda_module::attach(registry, "aten._adaptive_avg_pool3d.default", adaptive_cuda<3>);
}

}  // namespace ersatz::op_avg_pool2d
