#include "kernels/compute_type.h"
#include "kernels/dense_operand.h"
#include "kernels/resize/grid_sampler_backward.h"
#include "kernels/resize/grid_spread.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/base/parallel.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_grid_sampler_backward {
namespace {

/// Computes the gradients for row-major batches. `image` processes one image of the batch.
template <class T>
struct Backward {
  using Real = Compute_t<T>;
  GridSpread<Real> spread;
  int64_t channels, places;
  const T *grad, *in, *grid;
  T *grad_in, *grad_grid;  ///< grad_in is null if the gradient of the input is not requested

  void image(int64_t n, std::vector<Real>& sums) const {
    const int64_t spatial = spread.spatial, points = spread.points();
    std::fill(sums.begin(), sums.end(), Real(0));
    for (int64_t p = n * places; p < (n + 1) * places; ++p) {
      const PlaceTaps taps = spread.taps_of(grid + p * spatial);
      Real slope[3] = {0, 0, 0};
      for (int64_t c = 0; c < channels; ++c) {
        const int64_t plane = n * channels + c;
        Real* const to = sums.data() + c * points;
        spread.visit(
            taps, Real(grad[(plane - n) * places + p]), in + plane * points,
            [to](int64_t at, Real amount) { to[at] += amount; }, slope);
      }
      for (int64_t k = 0; k < spatial; ++k) grad_grid[p * spatial + k] = T(slope[2 - k]);
    }
    if (!grad_in) return;
    const int64_t size = channels * points;
    for (int64_t i = 0; i < size; ++i) grad_in[n * size + i] = T(sums[static_cast<size_t>(i)]);
  }
};

template <class T>
void run(KernelCall& call) {
  using Real = typename Backward<T>::Real;
  const Tensor grad = dense_input(call.tensor(kEach["grad_output"])), in = dense_input(call.tensor(kEach["input"])),
               grid = dense_input(call.tensor(kEach["grid"]));
  const bool asked = call.args[kEach["output_mask"]].as_list()[0].as_bool();
  const int64_t batch = in.sizes()[0].as_int(), channels = in.sizes()[1].as_int();
  std::optional<DenseOutput> grad_in;
  if (asked) grad_in.emplace(call.outputs[0]);
  DenseOutput grad_grid(call.outputs[1]);
  const Backward<T> body{grid_spread<Real>(call),
                         channels,
                         grid_places(grid),
                         reinterpret_cast<const T*>(grad.raw_data()),
                         reinterpret_cast<const T*>(in.raw_data()),
                         reinterpret_cast<const T*>(grid.raw_data()),
                         asked ? reinterpret_cast<T*>(grad_in->tensor.raw_data()) : nullptr,
                         reinterpret_cast<T*>(grad_grid.tensor.raw_data())};
  parallel_for(batch, 1, [&](int64_t begin, int64_t end) {
    std::vector<Real> sums(static_cast<size_t>(channels * body.spread.points()));
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
