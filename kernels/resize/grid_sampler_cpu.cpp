#include <cmath>

#include "kernels/dense_operand.h"
#include "kernels/resize/taps.h"
#include "runtime/dtype_switch.h"
#include "runtime/kernel.h"
#include "runtime/parallel.h"

namespace ersatz::op_grid_sampler {
namespace {

enum Interpolate : int64_t { kBilinear, kNearest, kBicubic };
enum Outside : int64_t { kZeros, kBorder, kMirror };

template <class Real>
Real mirrored(Real x, Real low, Real high) {
  if (low == high) return 0;
  const Real span = high - low;
  x = std::abs(x - low);
  const Real extra = std::fmod(x, span);
  return std::fmod(std::floor(x / span), Real(2)) == 0 ? extra + low : span - extra + low;
}

/// One dim of the image.
template <class Real>
struct Axis {
  int64_t size, outside;
  bool align;

  Real place(Real v) const { return align ? (v + 1) / 2 * Real(size - 1) : ((v + 1) * Real(size) - 1) / 2; }
  /// Where a place outside is read.
  Real inside(Real x) const {
    if (outside == kMirror) {
      x = align ? mirrored<Real>(x, 0, Real(size - 1)) : mirrored<Real>(x, Real(-0.5), Real(size) - Real(0.5));
    }
    // NaN becomes 0.
    return outside == kZeros ? x : std::min(Real(size - 1), x > 0 ? x : Real(0));
  }
  /// An index, or -1 where it lies outside.
  int64_t index(Real x) const { return x >= 0 && x < Real(size) ? int64_t(x) : -1; }
};

struct AxisTap {
  int64_t index;
  double weight;
};

/// The taps of a place along one axis; the number of them.
template <class Real>
int taps_at(const Axis<Real>& a, int64_t mode, Real v, AxisTap (&taps)[4]) {
  const Real x = a.place(v);
  if (mode == kBicubic) {
    const Real first = std::floor(x);
    const double t = double(x - first);
    const double weights[] = {cubic(t + 1, -0.75), cubic(t, -0.75), cubic(1 - t, -0.75), cubic(2 - t, -0.75)};
    for (int k = 0; k < 4; ++k) taps[k] = {a.index(a.inside(first - 1 + Real(k))), weights[k]};
    return 4;
  }
  const Real at = a.inside(x);
  if (mode == kNearest) {
    taps[0] = {a.index(std::nearbyint(at)), 1};
    return 1;
  }
  const Real first = std::floor(at);
  taps[0] = {a.index(first), double(first + 1 - at)};
  taps[1] = {a.index(first + 1), double(at - first)};
  return 2;
}

template <class T>
void sample(KernelCall& call) {
  using Real = std::conditional_t<std::is_same_v<T, double>, double, float>;
  const Tensor in = call.tensor(0), grid = call.tensor(1), &out = call.outputs[0];
  const auto sizes = as_ints(out.sizes()), in_sizes = as_ints(in.sizes());
  const auto is = as_ints(in.strides()), gs = as_ints(grid.strides()), os = as_ints(out.strides());
  const int64_t mode = call.integer(2);
  const Axis<Real> height{in_sizes[2], call.integer(3), call.boolean(4)},
      width{in_sizes[3], call.integer(3), call.boolean(4)};
  const T *x = reinterpret_cast<const T*>(in.raw_data()), *g = reinterpret_cast<const T*>(grid.raw_data());
  T* y = reinterpret_cast<T*>(out.raw_data());
  const int64_t channels = sizes[1], rows = sizes[0] * sizes[2];
  parallel_for(rows, 1 + (1 << 10) / (sizes[3] * channels), [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const int64_t n = row / sizes[2], h = row % sizes[2];
      for (int64_t w = 0; w < sizes[3]; ++w) {
        const T* place = g + n * gs[0] + h * gs[1] + w * gs[2];
        AxisTap across[4], down[4];
        const int columns = taps_at(width, mode, Real(place[0]), across);
        const int lines = taps_at(height, mode, Real(place[gs[3]]), down);
        for (int64_t c = 0; c < channels; ++c) {
          const T* plane = x + n * is[0] + c * is[1];
          Real sum = 0;
          for (int i = 0; i < lines; ++i) {
            for (int j = 0; j < columns; ++j) {
              if (down[i].index < 0 || across[j].index < 0) continue;
              sum += Real(down[i].weight * across[j].weight) *
                     Real(plane[down[i].index * is[2] + across[j].index * is[3]]);
            }
          }
          y[n * os[0] + c * os[1] + h * os[2] + w * os[3]] = T(sum);
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
