#include "kernels/compute_type.h"
#include "kernels/dense_operand.h"
#include "kernels/resize/grid_sampler.h"
#include "kernels/resize/grid_taps.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/base/parallel.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_grid_sampler {
namespace {

/// Samples images and volumes. An image counts as a volume of depth 1: along depth it has one tap with weight 1 and
/// stride 0.
template <class T>
void sample(KernelCall& call) {
  using Real = Compute_t<T>;
  const Tensor in = call.tensor(kSampled["input"]), grid = call.tensor(kSampled["grid"]), &out = call.outputs[0];
  const auto sizes = as_ints(out.sizes()), in_sizes = as_ints(in.sizes());
  const auto is = as_ints(in.strides()), gs = as_ints(grid.strides()), os = as_ints(out.strides());
  const GridMode mode{call.integer(kSampled["interpolation_mode"])};
  const size_t last = sizes.size() - 1, volume = sizes.size() - 4;  // volume: 1 if there is a depth dim
  const auto axis = [&](size_t d) {
    return GridAxis<Real>{in_sizes[d], GridPadding{call.integer(kSampled["padding_mode"])},
                          call.boolean(kSampled["align_corners"])};
  };
  const GridAxis<Real> depth = axis(volume ? 2 : last), height = axis(last - 1), width = axis(last);
  const int64_t depth_step = volume ? is[2] : 0, slices = volume ? sizes[2] : 1;
  const T *x = reinterpret_cast<const T*>(in.raw_data()), *g = reinterpret_cast<const T*>(grid.raw_data());
  T* y = reinterpret_cast<T*>(out.raw_data());
  const int64_t channels = sizes[1], lines_out = sizes[last - 1], rows = sizes[0] * slices * lines_out;
  parallel_for(rows, 1 + (1 << 10) / (sizes[last] * channels), [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const int64_t h = row % lines_out, z = row / lines_out % slices, n = row / lines_out / slices;
      const T* const from = g + n * gs[0] + (volume ? z * gs[1] : 0) + h * gs[last - 2];
      T* const to = y + n * os[0] + (volume ? z * os[2] : 0) + h * os[last - 1];
      for (int64_t w = 0; w < sizes[last]; ++w) {
        const T* place = from + w * gs[last - 1];
        const GridTaps across = grid_taps(width, mode, Real(place[0]));
        const GridTaps down = grid_taps(height, mode, Real(place[gs[last]]));
        const GridTaps through = volume ? grid_taps(depth, mode, Real(place[2 * gs[last]])) : only_tap();
        for (int64_t c = 0; c < channels; ++c) {
          const T* channel = x + n * is[0] + c * is[1];
          Real sum = 0;
          for (int k = 0; k < through.count; ++k) {
            for (int i = 0; i < down.count; ++i) {
              for (int j = 0; j < across.count; ++j) {
                const Tap &s = through.tap[k], &l = down.tap[i], &t = across.tap[j];
                if (s.index < 0 || l.index < 0 || t.index < 0) continue;
                sum += Real(s.weight * l.weight * t.weight) *
                       Real(channel[s.index * depth_step + l.index * is[last - 1] + t.index * is[last]]);
              }
            }
          }
          to[c * os[1] + w * os[last]] = T(sum);
        }
      }
    }
  });
}

}  // namespace

void run_cpu(KernelCall& call) {
  if (call.outputs[0].numel().as_int() == 0) return;
  dispatch_dtype<kFloats>(call.outputs[0].dtype(), [&]<class T>() { sample<T>(call); });
}

}  // namespace ersatz::op_grid_sampler
