// Which input elements make an output element along one dim, and with what weights.
//
// Source of the arithmetic: ATen's `area_pixel_compute_scale` and source index; positions are computed in the type that
// it uses, so that they round alike.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

namespace ersatz {

enum class Interpolation : uint8_t { Nearest, NearestExact, Linear, Cubic, AntialiasedLinear, AntialiasedCubic };

struct Tap {
  int64_t index;
  double weight;
};

/// Taps of all outputs of one dim: those of output o are [begin[o], begin[o + 1]).
struct DimTaps {
  std::vector<Tap> taps;
  std::vector<size_t> begin = {0};

  void add(int64_t index, double weight) { taps.push_back({index, weight}); }
  void finish() { begin.push_back(taps.size()); }
};

/// Input elements per output element.
template <class Real>
Real step_of(int64_t in, int64_t out, bool align_corners, std::optional<double> scale) {
  if (align_corners) return out > 1 ? Real(in - 1) / Real(out - 1) : Real(0);
  return scale && *scale > 0 ? Real(1.0 / *scale) : Real(in) / Real(out);
}

/// The kernel of cubic convolution at distance x >= 0.
inline double cubic(double x, double a) {
  if (x < 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
  return x < 2 ? ((x - 5) * x + 8) * x * a - 4 * a : 0;
}

/// Weights over the whole reach of an input that is made smaller, normalised.
inline void add_antialiased(DimTaps& t, Interpolation mode, int64_t o, int64_t in, double step) {
  const double half = mode == Interpolation::AntialiasedCubic ? 2 : 1;
  const double support = step >= 1 ? half * step : half, inverse = step >= 1 ? 1 / step : 1;
  const double center = step * (double(o) + 0.5);
  const int64_t first = std::max<int64_t>(int64_t(center - support + 0.5), 0);
  const int64_t end = std::min<int64_t>(int64_t(center + support + 0.5), in);
  const size_t begin = t.taps.size();
  double total = 0;
  for (int64_t i = first; i < end; ++i) {
    const double x = std::abs((double(i) - center + 0.5) * inverse);
    const double w = mode == Interpolation::AntialiasedCubic ? cubic(x, -0.5) : std::max(1 - x, 0.0);
    t.add(i, w);
    total += w;
  }
  for (size_t i = begin; i < t.taps.size() && total != 0; ++i) t.taps[i].weight /= total;
}

template <class Real>
DimTaps taps_of(Interpolation mode, int64_t in, int64_t out, bool align_corners, std::optional<double> scale) {
  DimTaps t;
  const Real step = step_of<Real>(in, out, align_corners, scale);
  for (int64_t o = 0; o < out; ++o) {
    const Real middle = step * (Real(o) + Real(0.5));
    switch (mode) {
      case Interpolation::Nearest:
        t.add(std::min(int64_t(std::floor(step * Real(o))), in - 1), 1);
        break;
      case Interpolation::NearestExact:
        t.add(std::min(int64_t(std::floor(middle)), in - 1), 1);
        break;
      case Interpolation::Linear: {
        if (in == out) {
          t.add(o, 1);
          break;
        }
        const Real at = align_corners ? step * Real(o) : std::max(middle - Real(0.5), Real(0));
        const int64_t i = std::min(int64_t(at), in - 1);
        const Real second = std::min(std::max(at - Real(i), Real(0)), Real(1));
        t.add(i, double(Real(1) - second));
        if (i + 1 < in) {
          t.add(i + 1, double(second));
        } else {
          t.taps.back().weight = 1;
        }
        break;
      }
      case Interpolation::Cubic: {
        const Real at = align_corners ? step * Real(o) : middle - Real(0.5);
        const int64_t i = std::min(int64_t(std::floor(at)), in - 1);
        const double x = std::min(std::max(double(at - Real(i)), 0.0), 1.0);
        const double weights[] = {cubic(x + 1, -0.75), cubic(x, -0.75), cubic(1 - x, -0.75), cubic(2 - x, -0.75)};
        for (int64_t k = 0; k < 4; ++k) t.add(std::clamp<int64_t>(i - 1 + k, 0, in - 1), weights[k]);
        break;
      }
      default:
        if (in == out) {
          t.add(o, 1);  // whatever the scale
          break;
        }
        add_antialiased(t, mode, o, in, double(step));
    }
    t.finish();
  }
  return t;
}

}  // namespace ersatz
