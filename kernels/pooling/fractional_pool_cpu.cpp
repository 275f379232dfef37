#include "kernels/pooling/fractional_pool.h"
#include "kernels/pooling/volume_loops.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_fractional_pool {

Kernel run_images_cpu, run_volumes_cpu;

namespace {

/// Where the windows of a plane begin along one dim, rounded as its dtype rounds.
template <class T>
void place_windows(T sample, int64_t size, int64_t kernel, std::span<int64_t> begins) {
  using Acc = Compute_t<T>;
  const auto rounded = [](Acc v) { return Acc(T(v)); };
  const int64_t last = size - kernel, n = static_cast<int64_t>(begins.size());
  const Acc u = Acc(sample), alpha = n > 1 ? rounded(Acc(last) / Acc(n - 1)) : Acc(0);
  for (int64_t i = 0; i + 1 < n; ++i) {
    const Acc at = std::trunc(rounded(rounded(Acc(i) + u) * alpha)) - std::trunc(rounded(u * alpha));
    begins[static_cast<size_t>(i)] = at > 0 ? (at < Acc(last) ? static_cast<int64_t>(at) : last) : 0;
  }
  if (n > 0) begins[static_cast<size_t>(n) - 1] = last;
}

void run(KernelCall& call, int spatial) {
  const Tensor in = call.tensor(kForward["self"]), samples = dense_input(call.tensor(kForward["random_samples"]));
  if (call.outputs[0].numel().as_int() == 0) return;
  const Volume v = volume_of(in, call.outputs[0], spatial);
  const std::span<const int64_t> kernel = call.ints(kForward["kernel_size"]);
  int64_t size[3] = {1, 1, 1}, first[4] = {0};
  for (int d = 0; d < spatial; ++d) size[3 - spatial + d] = kernel[static_cast<size_t>(d)];
  for (int d = 0; d < 3; ++d) first[d + 1] = first[d] + v.out[d];
  // The beginnings of a plane's windows: of depths, rows and columns.
  std::vector<int64_t> begins(static_cast<size_t>(v.planes * first[3]), 0);
  dispatch_dtype<kFloats>(in.dtype(), [&]<class T>() {
    const T* u = samples.data<T>();
    for (int64_t plane = 0; plane < v.planes; ++plane) {
      for (int d = 3 - spatial; d < 3; ++d) {
        const int64_t sample = spatial == 3 ? d : 2 - d;
        place_windows(
            u[plane * spatial + sample], v.in[d], size[d],
            std::span(begins).subspan(static_cast<size_t>(plane * first[3] + first[d]), static_cast<size_t>(v.out[d])));
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
