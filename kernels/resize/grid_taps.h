// The taps (elements and weights) with which grid_sampler reads an image along one dim, for the CPU and CUDA.
#pragma once

#include "kernels/resize/taps.h"

namespace ersatz {

/// The values of the arguments interpolation_mode and padding_mode of grid_sampler.
enum class GridMode : int64_t { Bilinear, Nearest, Bicubic };
enum class GridPadding : int64_t { Zeros, Border, Mirror };

template <class Real>
ERSATZ_HD Real mirrored(Real x, Real low, Real high) {
  if (low == high) return 0;
  const Real span = high - low;
  x = std::fabs(x - low);
  const Real extra = std::fmod(x, span);
  return std::fmod(std::floor(x / span), Real(2)) == 0 ? extra + low : span - extra + low;
}

/// One spatial dim of the image. `place` converts a value of the grid to a coordinate.
template <class Real>
struct GridAxis {
  int64_t size;
  GridPadding outside;
  bool align;

  ERSATZ_HD Real place(Real v) const {
    return align ? cuda_module::rounded_product((v + 1) / 2, Real(size - 1))
                 : (cuda_module::rounded_product(v + 1, Real(size)) - 1) / 2;
  }
  /// Returns the coordinate that padding reads in place of the coordinate `x`.
  ERSATZ_HD Real inside(Real x) const {
    if (outside != GridPadding::Border && outside != GridPadding::Mirror) return x;
    if (outside == GridPadding::Mirror) {
      x = align ? mirrored<Real>(x, 0, Real(size - 1)) : mirrored<Real>(x, Real(-0.5), Real(size) - Real(0.5));
    }
    const Real from_0 = x > 0 ? x : Real(0);  // a NaN becomes 0
    return from_0 < Real(size - 1) ? from_0 : Real(size - 1);
  }
  /// The derivative of the coordinate with respect to the grid's value. inside_speed includes the derivative of
  /// `inside` at x.
  ERSATZ_HD double speed() const { return static_cast<double>(align ? size - 1 : size) / 2; }
  ERSATZ_HD double inside_speed(Real x) const {
    if (outside != GridPadding::Border && outside != GridPadding::Mirror) return speed();
    double direction = 1;
    if (outside == GridPadding::Mirror) {
      const Real low = align ? Real(0) : Real(-0.5), high = align ? Real(size - 1) : Real(size) - Real(0.5);
      if (low == high) return 0;
      const Real times = std::floor(std::fabs(x - low) / (high - low));
      direction = (x < low) == (std::fmod(times, Real(2)) == 0) ? -1 : 1;
      x = mirrored<Real>(x, low, high);
    }
    return x > 0 && x < Real(size - 1) ? direction * speed() : 0;
  }
  /// Returns x as an index, or -1 if x is outside of the image.
  ERSATZ_HD int64_t index(Real x) const { return x >= 0 && x < Real(size) ? static_cast<int64_t>(x) : -1; }
};

struct GridTaps {
  Tap tap[4];
  int count;
};

/// Returns the taps for the grid's value `v`.
template <class Real>
ERSATZ_HD GridTaps grid_taps(const GridAxis<Real>& a, GridMode mode, Real v) {
  GridTaps taps;
  const Real x = a.place(v);
  if (mode == GridMode::Bicubic) {
    const Real first = std::floor(x);
    double weights[4];
    cubic_weights(static_cast<double>(x - first), weights);
    taps.count = 4;
    for (int k = 0; k < 4; ++k) taps.tap[k] = {a.index(a.inside(first - 1 + Real(k))), weights[k]};
    return taps;
  }
  const Real at = a.inside(x);
  if (mode == GridMode::Nearest) {
    taps.count = 1;
    taps.tap[0] = {a.index(std::nearbyint(at)), 1};
    return taps;
  }
  const Real first = std::floor(at);
  taps.count = 2;
  taps.tap[0] = {a.index(first), static_cast<double>(first + 1 - at)};
  taps.tap[1] = {a.index(first + 1), static_cast<double>(at - first)};
  return taps;
}

/// Sets `slopes` to the derivatives of the taps' weights with respect to the grid's value `v`.
template <class Real>
ERSATZ_HD void grid_slopes(const GridAxis<Real>& a, GridMode mode, Real v, double (&slopes)[4]) {
  const Real x = a.place(v);
  if (mode == GridMode::Bicubic) {
    cubic_slopes(static_cast<double>(x - std::floor(x)), slopes);
    for (double& s : slopes) s *= a.speed();
  } else if (mode == GridMode::Nearest) {
    slopes[0] = 0;
  } else {
    slopes[1] = a.inside_speed(x);
    slopes[0] = -slopes[1];
  }
}

/// Returns the tap for a dim that the image does not have: index 0 with weight 1.
ERSATZ_HD inline GridTaps only_tap() {
  GridTaps taps;
  taps.count = 1;
  taps.tap[0] = {0, 1};
  return taps;
}

}  // namespace ersatz
