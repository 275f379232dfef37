// Max pools over windows at random positions on CUDA. A first launch computes where the windows of each plane begin.
// For f16 and bf16, CUDA computes the positions in f32, like PyTorch's CUDA kernel. The CPU rounds to the dtype after
// each step.
#include "kernels/pooling/device_pool.h"
#include "kernels/pooling/fractional_pool.h"
#include "kernels/pooling/fractional_windows.h"
#include "runtime/cuda/attach.h"
#include "runtime/cuda/scratch.h"

namespace ersatz::op_fractional_pool {
namespace {

/// The positions at which a plane's windows begin. Window i along a dim begins at begins[plane * first[3] + first[dim]
/// + i].
struct Windows {
  int64_t* begins;
  int64_t first[4], size[3];
};

template <class Real>
struct PlaceWindows {
  Windows windows;
  int64_t in[3];
  const std::byte* samples;  // row-major
  DType dtype;
  int64_t item, spatial;
  ERSATZ_DEVICE void operator()(int64_t i) const {
    const int64_t plane = quotient(i, windows.first[3]), at = i - plane * windows.first[3];
    const int d = at < windows.first[1] ? 0 : at < windows.first[2] ? 1 : 2;
    const int64_t n = windows.first[d + 1] - windows.first[d];
    if (d < 3 - spatial) {  // a 2-d image has no depth, and no random number for the depth
      windows.begins[i] = 0;
      return;
    }
    const int64_t sample = plane * spatial + (spatial == 3 ? d : 2 - d);
    windows.begins[i] = window_begin<Real, Real>(at - windows.first[d], n, in[d], windows.size[d],
                                                 load_as<Real>(samples + sample * item, dtype));
  }
};

struct FractionalBoxes {
  Windows windows;
  int64_t channels;
  ERSATZ_DEVICE Box operator()(const ImagePoint& p) const {
    const int64_t* const begins = windows.begins + (p.at[0] * channels + p.at[1]) * windows.first[3];
    Box b;
    for (int d = 0; d < 3; ++d) {
      b.begin[d] = begins[windows.first[d] + p.at[2 + d]];
      b.end[d] = b.begin[d] + windows.size[d];
    }
    return b;
  }
};

template <class Real>
void place_windows(KernelCall& call, const Windows& windows, const ImageShape& in, int64_t spatial, int64_t planes) {
  const Tensor samples = dense_input(call.tensor(kForward["random_samples"]));
  cuda_module::launch_each(samples.device().index, planes * windows.first[3],
                           PlaceWindows<Real>{windows,
                                              {in.size[2], in.size[3], in.size[4]},
                                              samples.raw_data(),
                                              samples.dtype(),
                                              item_size(samples.dtype()),
                                              spatial});
}

void run(KernelCall& call, int spatial) {
  if (call.outputs[0].numel().as_int() == 0) return;
  const ImageShape in(call.tensor(kForward["self"]), spatial), out(call.outputs[0], spatial);
  const std::span<const int64_t> kernel = call.ints(kForward["kernel_size"]);
  Windows windows{nullptr, {0, 0, 0, 0}, {1, 1, 1}};
  for (int d = 0; d < spatial; ++d) windows.size[3 - spatial + d] = kernel[static_cast<size_t>(d)];
  for (int d = 0; d < 3; ++d) windows.first[d + 1] = windows.first[d] + out.size[2 + d];
  const int64_t planes = out.size[0] * out.size[1];
  const cuda_module::DeviceScratch begins(call.outputs[0].device().index,
                                          planes * windows.first[3] * int64_t(sizeof(int64_t)));
  windows.begins = begins.as<int64_t>();
  if (call.outputs[0].dtype() == DType::F64) {
    place_windows<double>(call, windows, in, spatial, planes);
  } else {
    place_windows<float>(call, windows, in, spatial, planes);
  }
  pool_max<kFloats>(call, spatial, FractionalBoxes{windows, out.size[1]});
}

void run_images_cuda(KernelCall& call) { run(call, 2); }
void run_volumes_cuda(KernelCall& call) { run(call, 3); }

}  // namespace

void attach_cuda(Registry& registry) {
  cuda_module::attach(registry, "aten.fractional_max_pool2d.default", run_images_cuda);
  cuda_module::attach(registry, "aten.fractional_max_pool3d.default", run_volumes_cuda);
}

}  // namespace ersatz::op_fractional_pool
