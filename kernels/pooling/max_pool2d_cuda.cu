// Max pools of one to three dims on CUDA.
#include "kernels/pooling/adaptive_pool.h"
#include "kernels/pooling/device_pool.h"
#include "runtime/cuda/attach.h"

namespace ersatz::op_max_pool2d {
namespace {

template <int kSpatial>
void windows_cuda(KernelCall& call) {
  if (call.outputs[0].numel().as_int() == 0) return;
  const ImageShape in(call.tensor(kWindowed["self"]), kSpatial);
  pool_max<kFloats>(call, kSpatial,
                    MaxBoxes{device_window(call, kSpatial, true), {in.size[2], in.size[3], in.size[4]}});
}

template <int kSpatial>
void adaptive_cuda(KernelCall& call) {
  if (call.outputs[0].numel().as_int() == 0) return;
  const ImageShape in(call.tensor(op_adaptive_pool::kMaxima["self"]), kSpatial), out(call.outputs[0], kSpatial);
  pool_max<kFloats>(call, kSpatial,
                    AdaptiveBoxes{{in.size[2], in.size[3], in.size[4]}, {out.size[2], out.size[3], out.size[4]}});
}

}  // namespace

void attach_cuda(Registry& registry) {
  cuda_module::attach(registry, "aten.max_pool1d.default", windows_cuda<1>);
  cuda_module::attach(registry, "aten.max_pool2d_with_indices.default", windows_cuda<2>);
  cuda_module::attach(registry, "aten.max_pool3d_with_indices.default", windows_cuda<3>);
  cuda_module::attach(registry, "aten.adaptive_max_pool2d.default", adaptive_cuda<2>);
  cuda_module::attach(registry, "aten.adaptive_max_pool3d.default", adaptive_cuda<3>);
}

}  // namespace ersatz::op_max_pool2d
