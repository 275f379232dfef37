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
    return outside != kBorder && outside != kMirror ? x : std::min(Real(size - 1), x > 0 ? x : Real(0));
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

/// An image is a volume of one slice: what a depth axis would be is one tap of weight 1, in steps of 0.
template <class T>
void sample(KernelCall& call) {
  using Real = std::conditional_t<std::is_same_v<T, double>, double, float>;
  const Tensor in = call.tensor(0), grid = call.tensor(1), &out = call.outputs[0];
  const auto sizes = as_ints(out.sizes()), in_sizes = as_ints(in.sizes());
  const auto is = as_ints(in.strides()), gs = as_ints(grid.strides()), os = as_ints(out.strides());
  const int64_t mode = call.integer(2);
  const size_t last = sizes.size() - 1, volume = sizes.size() - 4;  // volume: 1 where there is a depth
  const auto axis = [&](size_t d) { return Axis<Real>{in_sizes[d], call.integer(3), call.boolean(4)}; };
  const Axis<Real> depth = axis(volume ? 2 : last), height = axis(last - 1), width = axis(last);
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
        AxisTap across[4], down[4], through[4] = {{0, 1}};
        const int columns = taps_at(width, mode, Real(place[0]), across);
        const int lines = taps_at(height, mode, Real(place[gs[last]]), down);
        const int planes = volume ? taps_at(depth, mode, Real(place[2 * gs[last]]), through) : 1;
        for (int64_t c = 0; c < channels; ++c) {
          const T* channel = x + n * is[0] + c * is[1];
          Real sum = 0;
          for (int k = 0; k < planes; ++k) {
            for (int i = 0; i < lines; ++i) {
              for (int j = 0; j < columns; ++j) {
                if (through[k].index < 0 || down[i].index < 0 || across[j].index < 0) continue;
                sum += Real(through[k].weight * down[i].weight * across[j].weight) *
                       Real(channel[through[k].index * depth_step + down[i].index * is[last - 1] +
                                    across[j].index * is[last]]);
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
