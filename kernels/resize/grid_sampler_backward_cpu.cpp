#include "kernels/compute_type.h"
#include "kernels/dense_operand.h"
#include "kernels/resize/grid_sampler_backward.h"
#include "kernels/resize/grid_taps.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/base/parallel.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_grid_sampler_backward {
namespace {

/// The dims z, y, x of one place: its taps, and how their weights change with the grid's value.
struct Taps {
  GridTaps taps;
  double slopes[4] = {0, 0, 0, 0};
};

/// Images of row-major batches, as volumes of one slice.
template <class T>
struct Backward {
  using Real = Compute_t<T>;
  GridAxis<Real> axes[3];
  GridMode mode;
  int64_t channels, places, spatial;
  const T *grad, *in, *grid;
  T *grad_in, *grad_grid;  ///< grad_in: null where it is not asked for

  int64_t points() const { return axes[0].size * axes[1].size * axes[2].size; }

  void image(int64_t n, std::vector<Real>& sums) const {
    std::fill(sums.begin(), sums.end(), Real(0));
    for (int64_t p = 0; p < places; ++p) {
      const T* const place = grid + (n * places + p) * spatial;
      Taps taps[3];
      taps[0].taps = only_tap();
      for (int64_t k = 0; k < spatial; ++k) {  // x first
        const GridAxis<Real>& axis = axes[2 - k];
        taps[2 - k].taps = grid_taps(axis, mode, Real(place[k]));
        grid_slopes(axis, mode, Real(place[k]), taps[2 - k].slopes);
      }
      Real slope[3] = {0, 0, 0};
      for (int64_t c = 0; c < channels; ++c) {
        const int64_t plane = n * channels + c;
        visit(taps, Real(grad[plane * places + p]), in + plane * points(), sums.data() + c * points(), slope);
      }
      for (int64_t k = 0; k < spatial; ++k) grad_grid[(n * places + p) * spatial + k] = T(slope[2 - k]);
    }
    if (!grad_in) return;
    const int64_t size = channels * points();
    for (int64_t i = 0; i < size; ++i) grad_in[n * size + i] = T(sums[static_cast<size_t>(i)]);
  }

 private:
  /// What one element `g` of the gradient adds to a channel's sums and to the slopes of its place.
  void visit(const Taps (&taps)[3], Real g, const T* x, Real* sums, Real (&slope)[3]) const {
    for (int i = 0; i < taps[0].taps.count; ++i) {
      for (int j = 0; j < taps[1].taps.count; ++j) {
        for (int k = 0; k < taps[2].taps.count; ++k) {
          const Tap &a = taps[0].taps.tap[i], &b = taps[1].taps.tap[j], &c = taps[2].taps.tap[k];
          const bool inside = a.index >= 0 && b.index >= 0 && c.index >= 0;
          const int64_t at = inside ? (a.index * axes[1].size + b.index) * axes[2].size + c.index : 0;
          if (inside) sums[at] += Real(a.weight * b.weight * c.weight) * g;
          // An element outside counts as 0, not as nothing: a weight that is NaN shows.
          const Real value = inside ? Real(x[at]) * g : Real(0);
          slope[0] += Real(taps[0].slopes[i] * b.weight * c.weight) * value;
          slope[1] += Real(a.weight * taps[1].slopes[j] * c.weight) * value;
          slope[2] += Real(a.weight * b.weight * taps[2].slopes[k]) * value;
        }
      }
    }
  }
};

template <class T>
void run(KernelCall& call) {
  using Real = typename Backward<T>::Real;
  const Tensor grad = dense_input(call.tensor(kEach["grad_output"])), in = dense_input(call.tensor(kEach["input"])),
               grid = dense_input(call.tensor(kEach["grid"]));
  const bool asked = call.args[kEach["output_mask"]].as_list()[0].as_bool();
  const auto sizes = as_ints(in.sizes()), of_grid = as_ints(grid.sizes());
  const int64_t spatial = of_grid.back(), batch = sizes[0];
  std::optional<DenseOutput> grad_in;
  if (asked) grad_in.emplace(call.outputs[0]);
  DenseOutput grad_grid(call.outputs[1]);
  const auto axis = [&](int64_t d) {
    return GridAxis<Real>{d + spatial < 3 ? 1 : sizes[static_cast<size_t>(d + spatial - 1)],
                          GridPadding{call.integer(kEach["padding_mode"])}, call.boolean(kEach["align_corners"])};
  };
  int64_t places = 1;
  for (size_t d = 1; d + 1 < of_grid.size(); ++d) places *= of_grid[d];
  const Backward<T> body{{axis(0), axis(1), axis(2)},
                         GridMode{call.integer(kEach["interpolation_mode"])},
                         sizes[1],
                         places,
                         spatial,
                         reinterpret_cast<const T*>(grad.raw_data()),
                         reinterpret_cast<const T*>(in.raw_data()),
                         reinterpret_cast<const T*>(grid.raw_data()),
                         asked ? reinterpret_cast<T*>(grad_in->tensor.raw_data()) : nullptr,
                         reinterpret_cast<T*>(grad_grid.tensor.raw_data())};
  parallel_for(batch, 1, [&](int64_t begin, int64_t end) {
    std::vector<Real> sums(static_cast<size_t>(sizes[1] * body.points()));
    for (int64_t n = begin; n < end; ++n) body.image(n, sums);
  });
  if (grad_in) grad_in->finish();
  grad_grid.finish();
}

}  // namespace

void run_cpu(KernelCall& call) {
  dispatch_dtype<kFloats>(call.outputs[1].dtype(), [&]<class T>() { run<T>(call); });
}

}  // namespace ersatz::op_grid_sampler_backward
