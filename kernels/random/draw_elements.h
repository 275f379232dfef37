// Functors that compute elements from one block of random words (docs/random.md), for the CPU and CUDA.
//
// draw(out, count, e, words) writes `count` elements, at most kPerBlock; the first one is element e of the tensor.
// Loops run to kPerBlock, so that words have constant indices and stay in registers.
#pragma once

#include <cmath>
#include <cstdint>

#include "kernels/compute_type.h"
#include "runtime/base/philox.h"

namespace ersatz {

ERSATZ_HD inline float uniform24(uint32_t word) { return static_cast<float>(word >> 8) * 0x1p-24f; }
ERSATZ_HD inline double uniform53(uint32_t high, uint32_t low) {
  return static_cast<double>(((uint64_t(high) << 32) + low) >> 11) * 0x1p-53;
}

/// Converts one random word to a uniform number in [0, 1). For a narrow dtype, uses only as many top bits of the word
/// as the dtype represents exactly; otherwise rounding could give 1.
template <class T>
ERSATZ_HD float uniform_word(uint32_t word) {
  if constexpr (std::is_same_v<T, half>) return static_cast<float>(word >> 21) * 0x1p-11f;
  if constexpr (std::is_same_v<T, bfloat16>) return static_cast<float>(word >> 24) * 0x1p-8f;
  return uniform24(word);
}

/// Draws uniform numbers in [from, to).
template <class T>
struct DrawUniform {
  using Real = Compute_t<T>;
  static constexpr int kPerBlock = std::is_same_v<T, double> ? 2 : 4;
  Real scale, shift;

  DrawUniform(double from, double to) : scale(static_cast<Real>(to - from)), shift(static_cast<Real>(from)) {}
  ERSATZ_HD void operator()(T* out, int count, int64_t, const PhiloxWords& w) const {
    for (int i = 0; i < kPerBlock; ++i) {
      if (i >= count) return;
      if constexpr (std::is_same_v<T, double>) {
        out[i] = uniform53(w.word[2 * i], w.word[2 * i + 1]) * scale + shift;
      } else {
        out[i] = T(uniform_word<T>(w.word[i]) * scale + shift);
      }
    }
  }
};

template <class R>
struct NormalPair {
  R even, odd;
};
template <class R>
ERSATZ_HD NormalPair<R> box_muller(R u1, R u2) {
  const R r = std::sqrt(R(-2) * std::log(R(1) - u1));
  const R angle = R(2) * R(3.14159265358979323846) * u2;
  return {r * std::cos(angle), r * std::sin(angle)};
}

template <class T>
struct DrawNormal {
  using Real = Compute_t<T>;
  static constexpr int kPerBlock = std::is_same_v<T, double> ? 2 : 4;
  Real scale, even_shift, odd_shift;  ///< real and imaginary part of a complex number may have different means

  DrawNormal(double std, double even_mean, double odd_mean)
      : scale(static_cast<Real>(std)),
        even_shift(static_cast<Real>(even_mean)),
        odd_shift(static_cast<Real>(odd_mean)) {}
  ERSATZ_HD void operator()(T* out, int count, int64_t, const PhiloxWords& w) const {
    if constexpr (std::is_same_v<T, double>) {
      put(out, count, box_muller(uniform53(w.word[0], w.word[1]), uniform53(w.word[2], w.word[3])));
    } else {
      for (int p = 0; p < 2; ++p) {
        if (2 * p >= count) return;
        put(out + 2 * p, count - 2 * p, box_muller(uniform24(w.word[2 * p]), uniform24(w.word[2 * p + 1])));
      }
    }
  }

 private:
  ERSATZ_HD void put(T* out, int count, const NormalPair<Real>& pair) const {
    out[0] = T(pair.even * scale + even_shift);
    if (count > 1) out[1] = T(pair.odd * scale + odd_shift);
  }
};

/// Returns the upper 64 bits of the 128-bit product.
ERSATZ_HD inline uint64_t upper_product(uint64_t a, uint64_t b) {
  return static_cast<uint64_t>((static_cast<unsigned __int128>(a) * b) >> 64);
}

template <class T>
struct DrawIntegers {
  static constexpr int kPerBlock = 2;
  uint64_t low, range;

  DrawIntegers(int64_t from, int64_t to)
      : low(static_cast<uint64_t>(from)), range(static_cast<uint64_t>(to) - static_cast<uint64_t>(from)) {}
  ERSATZ_HD void operator()(T* out, int count, int64_t, const PhiloxWords& w) const {
    for (int i = 0; i < kPerBlock; ++i) {
      if (i >= count) return;
      const uint64_t bits = (uint64_t(w.word[2 * i]) << 32) + w.word[2 * i + 1];
      const int64_t value = static_cast<int64_t>(low + upper_product(bits, range));
      if constexpr (std::is_integral_v<T>) {
        out[i] = static_cast<T>(value);
      } else {
        out[i] = T(static_cast<double>(value));
      }
    }
  }
};

/// Draws 1 with a probability, else 0. p[e] is the probability of element e. If p is null, all elements have
/// probability `all`.
template <class T>
struct DrawBernoulli {
  static constexpr int kPerBlock = 4;
  const double* p;
  double all;

  ERSATZ_HD void operator()(T* out, int count, int64_t e, const PhiloxWords& w) const {
    for (int i = 0; i < kPerBlock; ++i) {
      if (i >= count) return;
      out[i] = T(uniform24(w.word[i]) < (p ? p[e + i] : all) ? 1 : 0);
    }
  }
};

/// Draws numbers of another distribution: f(number) for each number that `draw` returns.
template <class Draw, class F>
struct DrawThrough {
  static constexpr int kPerBlock = Draw::kPerBlock;
  Draw draw;
  F f;
  ERSATZ_HD void operator()(double* out, int count, int64_t e, const PhiloxWords& w) const {
    draw(out, count, e, w);
    for (int i = 0; i < kPerBlock; ++i) {
      if (i < count) out[i] = f(out[i]);
    }
  }
};

/// Functors for DrawThrough. Each one maps a uniform number in [0, 1); the last one, ToLogNormal, maps a normal number.
struct ToExponential {
  double lambd;
  ERSATZ_HD double operator()(double u) const { return -std::log1p(-u) / lambd; }
};
struct ToGeometric {
  double scale;  ///< 1 / log(1 - p)
  ERSATZ_HD double operator()(double u) const {
    const double trials = std::ceil(std::log1p(-u) * scale);
    return trials < 1.0 ? 1.0 : trials;
  }
};
struct ToCauchy {
  double median, sigma;
  ERSATZ_HD double operator()(double u) const { return median + sigma * std::tan(3.14159265358979323846 * (u - 0.5)); }
};
struct ToLogNormal {
  ERSATZ_HD double operator()(double v) const { return std::exp(v); }
};

/// Tests for numbers that are no probability, and for numbers that are no standard deviation.
struct IsNoProbability {
  ERSATZ_HD bool operator()(double p) const { return !(p >= 0 && p <= 1); }
};
struct IsNegative {
  ERSATZ_HD bool operator()(double s) const { return s < 0; }
};

}  // namespace ersatz
