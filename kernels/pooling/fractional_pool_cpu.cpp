#include "kernels/pooling/fractional_pool.h"
#include "kernels/pooling/fractional_windows.h"
#include "kernels/pooling/volume_loops.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_fractional_pool {

Kernel run_images_cpu, run_volumes_cpu;

namespace {

void run(KernelCall& call, int spatial) {
  const Tensor in = call.tensor(kForward["self"]), samples = dense_input(call.tensor(kForward["random_samples"]));
  if (call.outputs[0].numel().as_int() == 0) return;
  const Volume v = volume_of(in, call.outputs[0], spatial);
  const std::span<const int64_t> kernel = call.ints(kForward["kernel_size"]);
  int64_t size[3] = {1, 1, 1}, first[4] = {0};
  for (int d = 0; d < spatial; ++d) size[3 - spatial + d] = kernel[static_cast<size_t>(d)];
  for (int d = 0; d < 3; ++d) first[d + 1] = first[d] + v.out[d];
  // Computes where the windows of each plane begin: first along depth, then along rows, then along columns.
  std::vector<int64_t> begins(static_cast<size_t>(v.planes * first[3]), 0);
  dispatch_dtype<kFloats>(in.dtype(), [&]<class T>() {
    const T* u = samples.data<T>();
    for (int64_t plane = 0; plane < v.planes; ++plane) {
      for (int d = 3 - spatial; d < 3; ++d) {
        const int64_t sample = spatial == 3 ? d : 2 - d;
        for (int64_t i = 0; i < v.out[d]; ++i) {
          begins[static_cast<size_t>(plane * first[3] + first[d] + i)] =
              window_begin<T, Compute_t<T>>(i, v.out[d], v.in[d], size[d], Compute_t<T>(u[plane * spatial + sample]));
        }
      }
    }
  });
  max_of_boxes<kFloats>(in, call.outputs[0], call.outputs[1], spatial,
                        [&](int64_t plane, int64_t i, int64_t j, int64_t k) {
                          const int64_t at[3] = {i, j, k};
                          Box b;
                          for (int d = 0; d < 3; ++d) {
                            b.begin[d] = begins[static_cast<size_t>(plane * first[3] + first[d] + at[d])];
                            b.end[d] = b.begin[d] + size[d];
                          }
                          return b;
                        });
}

}  // namespace

void run_images_cpu(KernelCall& call) { run(call, 2); }
void run_volumes_cpu(KernelCall& call) { run(call, 3); }

}  // namespace ersatz::op_fractional_pool
