#include "kernels/pooling/average_gradient.h"
#include "kernels/pooling/volume_loops.h"

namespace ersatz::op_pool_backward {

Kernel run_average2d_cpu, run_average3d_cpu, run_adaptive2d_cpu, run_adaptive3d_cpu;

namespace {

struct HostSpread {
  template <class Windows>
  static void spread(KernelCall& call, int spatial, const Windows& windows) {
    const Tensor grad = dense_input(call.tensor(kEach["grad_output"]));
    DenseOutput out(call.outputs[0]);
    const Volume v = volume_of(out.tensor, grad, spatial);
    dispatch_dtype<kFloats | DTypeSet{DType::I64}>(grad.dtype(), [&]<class T>() {
      using Acc = Compute_t<T>;
      const T* g = reinterpret_cast<const T*>(grad.raw_data());
      T* x = reinterpret_cast<T*>(out.tensor.raw_data());
      const int64_t from = v.in[0] * v.in[1] * v.in[2], points = v.out[1] * v.out[2], to = v.out[0] * points;
      const int64_t given = grad.numel().as_int();  // planes of the result without a gradient get zeros
      parallel_for(v.planes, 1 + (1 << 14) / (from + to), [&](int64_t begin, int64_t end) {
        std::vector<Acc> sums(static_cast<size_t>(from));
        for (int64_t plane = begin; plane < end; ++plane) {
          std::fill(sums.begin(), sums.end(), Acc(0));
          for (int64_t o = 0; o < to && plane * to + o < given; ++o) {
            const int64_t i = o / points, j = o / v.out[2] % v.out[1], k = o % v.out[2];
            const Acc share = Acc(g[plane * to + o]) / Acc(windows.divisor(i, j, k));
            for_each_index(v, windows(i, j, k), [&](int64_t at) { sums[static_cast<size_t>(at)] += share; });
          }
          for (int64_t at = 0; at < from; ++at) x[plane * from + at] = T(sums[static_cast<size_t>(at)]);
        }
      });
    });
    out.finish();
  }
};

}  // namespace

void run_average2d_cpu(KernelCall& call) { average<HostSpread, 2>(call); }
void run_average3d_cpu(KernelCall& call) { average<HostSpread, 3>(call); }
void run_adaptive2d_cpu(KernelCall& call) { adaptive_average<HostSpread, 2>(call); }
void run_adaptive3d_cpu(KernelCall& call) { adaptive_average<HostSpread, 3>(call); }

}  // namespace ersatz::op_pool_backward
