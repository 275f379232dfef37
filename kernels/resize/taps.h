// The taps of an output element along one dim: the input elements that it is computed from, and their weights. The CPU
// and CUDA use them.
//
// The formulas are those of ATen's `area_pixel_compute_scale` and source index. Positions are computed in ATen's type,
// and products are rounded separately, so that positions are equal on every device. In ATen, the compiler for a device
// may fuse a product with the following sum, which changes the last bit of a position.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>

#include "runtime/base/host_device.h"
#include "runtime/cuda/device_code.h"

namespace ersatz {

enum class Interpolation : uint8_t {
  Nearest,
  NearestExact,
  Linear,
  Cubic,
  AntialiasedLinear,
  AntialiasedCubic,
  AntialiasedLanczos
};

struct Tap {
  int64_t index;
  double weight;
};

/// Returns the number of input elements per output element.
template <class Real>
Real step_of(int64_t in, int64_t out, bool align_corners, std::optional<double> scale) {
  if (align_corners) return out > 1 ? Real(in - 1) / Real(out - 1) : Real(0);
  return scale && *scale > 0 ? Real(1.0 / *scale) : Real(in) / Real(out);
}

/// Returns the kernel of cubic convolution at distance x. REQUIRES: x >= 0.
ERSATZ_HD inline double cubic(double x, double a) {
  if (x < 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
  return x < 2 ? ((x - 5) * x + 8) * x * a - 4 * a : 0;
}
/// Sets the weights of the four elements around a point that is `t` after the second element.
ERSATZ_HD inline void cubic_weights(double t, double (&weights)[4]) {
  weights[0] = cubic(t + 1, -0.75);
  weights[1] = cubic(t, -0.75);
  weights[2] = cubic(1 - t, -0.75);
  weights[3] = cubic(2 - t, -0.75);
}
/// Returns the derivative of `cubic` at distance x in [0, 2]. cubic_slopes sets the derivatives of cubic_weights'
/// results with respect to `t`.
ERSATZ_HD inline double cubic_slope(double x, double a) {
  return x < 1 ? (3 * (a + 2) * x - 2 * (a + 3)) * x : ((3 * x - 10) * x + 8) * a;
}
ERSATZ_HD inline void cubic_slopes(double t, double (&slopes)[4]) {
  slopes[0] = cubic_slope(t + 1, -0.75);
  slopes[1] = cubic_slope(t, -0.75);
  slopes[2] = -cubic_slope(1 - t, -0.75);
  slopes[3] = -cubic_slope(2 - t, -0.75);
}

/// Returns Lanczos' kernel with three lobes at distance x: sinc(x) sinc(x / 3). REQUIRES: x >= 0.
ERSATZ_HD inline double lanczos3(double x) {
  if (x == 0) return 1;
  const double angle = 3.14159265358979323846 * x;
  return x < 3 ? 3 * std::sin(angle) * std::sin(angle / 3) / (angle * angle) : 0.0;
}

/// The taps of one output element, in ascending order of index. There are `count` taps.
class TapRow {
 public:
  int64_t count = 1;

  ERSATZ_HD Tap operator[](int64_t k) const {
    if (half_ > 0) return {first_ + k, window(first_ + k) / total_};
    const int64_t i = first_ + k;
    return {i < 0 ? 0 : i < in_ ? i : in_ - 1, weight_[k]};
  }

 private:
  template <class Real>
  friend struct TapRule;

  /// Returns the weight of element i in an antialiased mode, before normalisation.
  ERSATZ_HD double window(int64_t i) const {
    const double x = std::fabs((static_cast<double>(i) - center_ + 0.5) * inverse_);
    if (half_ == 3) return lanczos3(x);
    if (half_ == 2) return cubic(x, -0.5);
    return x < 1 ? 1 - x : 0.0;
  }

  int64_t first_ = 0, in_ = 1;
  double weight_[4] = {1, 0, 0, 0};
  int half_ = 0;  ///< half the width of the kernel, for the antialiased modes; 0 for the other modes
  double center_ = 0, inverse_ = 1, total_ = 1;
};

/// Computes the taps of a dim that is resized from `in` to `out` elements.
template <class Real>
struct TapRule {
  Interpolation mode = Interpolation::Nearest;
  int64_t in = 1, out = 1;
  bool align_corners = false;
  Real step = 1;

  TapRule() = default;
  TapRule(Interpolation m, int64_t from, int64_t to, bool align, std::optional<double> scale)
      : mode(m), in(from), out(to), align_corners(align), step(step_of<Real>(from, to, align, scale)) {}

  /// Returns the only input element of output o in the nearest modes.
  ERSATZ_HD int64_t nearest(int64_t o) const {
    return clipped(std::floor(mode == Interpolation::Nearest ? step * Real(o) : step * (Real(o) + Real(0.5))));
  }
  ERSATZ_HD TapRow row(int64_t o) const {
    TapRow r;
    r.in_ = in;
    const Real start = cuda_module::rounded_product(step, Real(o)),
               middle = cuda_module::rounded_product(step, Real(o) + Real(0.5));
    switch (mode) {
      case Interpolation::Nearest:
      case Interpolation::NearestExact:
        r.first_ = nearest(o);
        break;
      case Interpolation::Linear: {
        r.first_ = o;
        if (in == out) break;
        const Real at = align_corners ? start : at_least_0(middle - Real(0.5));
        r.first_ = clipped(at);
        const Real rest = at_least_0(at - Real(r.first_)), second = rest < Real(1) ? rest : Real(1);
        if (r.first_ + 1 == in) break;
        r.count = 2;
        r.weight_[0] = static_cast<double>(Real(1) - second);
        r.weight_[1] = static_cast<double>(second);
        break;
      }
      case Interpolation::Cubic: {
        const Real at = align_corners ? start : middle - Real(0.5);
        const int64_t i = clipped(std::floor(at));
        const double rest = static_cast<double>(at - Real(i)), x = rest < 0 ? 0 : rest < 1 ? rest : 1;
        r.first_ = i - 1;
        r.count = 4;
        cubic_weights(x, r.weight_);
        break;
      }
      default:
        r.first_ = o;
        if (in != out) widen(r, o);  // a dim that keeps its size is not filtered, for any scale
    }
    return r;
  }

 private:
  ERSATZ_HD int64_t clipped(Real place) const {
    const int64_t i = static_cast<int64_t>(place);
    return i < in ? i : in - 1;
  }
  ERSATZ_HD static Real at_least_0(Real x) { return x > Real(0) ? x : Real(0); }

  /// Sets the weights of an antialiased mode over the whole support of the kernel, which grows if the dim shrinks. The
  /// weights are normalised.
  ERSATZ_HD void widen(TapRow& r, int64_t o) const {
    r.half_ = mode == Interpolation::AntialiasedLanczos ? 3 : mode == Interpolation::AntialiasedCubic ? 2 : 1;
    const double wide = static_cast<double>(step);
    const double support = wide >= 1 ? r.half_ * wide : r.half_;
    r.inverse_ = wide >= 1 ? 1 / wide : 1;
    r.center_ = cuda_module::rounded_product(wide, static_cast<double>(o) + 0.5);
    const int64_t first = static_cast<int64_t>(r.center_ - support + 0.5);
    const int64_t end = static_cast<int64_t>(r.center_ + support + 0.5);
    r.first_ = first > 0 ? first : 0;
    r.count = (end < in ? end : in) - r.first_;
    double total = 0;
    for (int64_t k = 0; k < r.count; ++k) total += r.window(r.first_ + k);
    r.total_ = total != 0 ? total : 1;
  }
};

}  // namespace ersatz
