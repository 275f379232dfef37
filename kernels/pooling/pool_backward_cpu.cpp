#include "kernels/pooling/pool_backward.h"
#include "kernels/pooling/volume.h"
#include "kernels/pooling/volume_loops.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_pool_backward {
namespace {

/// Each element over its divisor is added to its box: the adjoint of `average_of_boxes`. Planes without a gradient get
/// zeros.
template <class Boxes>
void spread(KernelCall& call, const Volume& v, const Boxes& boxes) {
  const Tensor grad = dense_input(call.tensor(kEach["grad_output"]));
  DenseOutput out(call.outputs[0]);
  dispatch_dtype<kFloats | DTypeSet{DType::I64}>(grad.dtype(), [&]<class T>() {
    using Acc = Compute_t<T>;
    const T* g = reinterpret_cast<const T*>(grad.raw_data());
    T* x = reinterpret_cast<T*>(out.tensor.raw_data());
    const int64_t from = v.in[0] * v.in[1] * v.in[2], points = v.out[1] * v.out[2], to = v.out[0] * points;
    const int64_t given = grad.numel().as_int();
    parallel_for(v.planes, 1 + (1 << 14) / (from + to), [&](int64_t begin, int64_t end) {
      std::vector<Acc> sums(static_cast<size_t>(from));
      for (int64_t plane = begin; plane < end; ++plane) {
        std::fill(sums.begin(), sums.end(), Acc(0));
        for (int64_t o = 0; o < to && plane * to + o < given; ++o) {
          const int64_t i = o / points, j = o / v.out[2] % v.out[1], k = o % v.out[2];
          const Acc share = Acc(g[plane * to + o]) / Acc(boxes.divisor(i, j, k));
          for_each_index(v, boxes(i, j, k), [&](int64_t at) { sums[static_cast<size_t>(at)] += share; });
        }
        for (int64_t at = 0; at < from; ++at) x[plane * from + at] = T(sums[static_cast<size_t>(at)]);
      }
    });
  });
  out.finish();
}

Volume volume(const KernelCall& call, int spatial) {
  return volume_of(call.outputs[0], call.tensor(kEach["grad_output"]), spatial);
}

void run_average(KernelCall& call, int spatial) {
  if (call.outputs[0].numel().as_int() == 0) return;
  const Volume v = volume(call, spatial);
  Window3d w;
  const auto read = [&](std::span<const int64_t> values, int64_t(&to)[3], int64_t of_depth) {
    if (spatial == 3) return spread_triple(values, to);
    to[0] = of_depth;
    to[1] = values[0];
    to[2] = values[values.size() - 1];
  };
  const auto size = call.ints(kAverages["kernel_size"]), stride = call.ints(kAverages["stride"]);
  read(size, w.size, 1);
  read(stride.empty() ? size : stride, w.stride, 1);
  read(call.ints(kAverages["padding"]), w.padding, 0);
  const int64_t divisor = call.has(kAverages["divisor_override"]) ? call.integer(kAverages["divisor_override"]) : 0;
  spread(call, v, AverageBoxes{w, {v.in[0], v.in[1], v.in[2]}, call.boolean(kAverages["count_include_pad"]), divisor});
}
void run_adaptive(KernelCall& call, int spatial) {
  if (call.outputs[0].numel().as_int() == 0) return;
  const Volume v = volume(call, spatial);
  spread(call, v, AdaptiveBoxes{{v.in[0], v.in[1], v.in[2]}, {v.out[0], v.out[1], v.out[2]}});
}

}  // namespace

void run_average2d_cpu(KernelCall& call) { run_average(call, 2); }
void run_average3d_cpu(KernelCall& call) { run_average(call, 3); }
void run_adaptive2d_cpu(KernelCall& call) { run_adaptive(call, 2); }
void run_adaptive3d_cpu(KernelCall& call) { run_adaptive(call, 3); }

}  // namespace ersatz::op_pool_backward
