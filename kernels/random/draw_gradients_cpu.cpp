#include <array>
#include <cmath>
#include <limits>

#include "kernels/pointwise/math_special.h"
#include "kernels/random/draw_gradients.h"
#include "kernels/random/moments.h"
#include "runtime/base/parallel.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_draw_gradients {
namespace {

using vec::m::digamma;

constexpr double kLeast = 1e-300, kEpsilon = 1e-15;
constexpr int kMostSteps = 200000;

/// A number and its derivative with respect to a parameter (forward-mode differentiation).
struct Dual {
  double value, slope = 0;
  friend Dual operator+(Dual a, Dual b) { return {a.value + b.value, a.slope + b.slope}; }
  friend Dual operator-(Dual a, Dual b) { return {a.value - b.value, a.slope - b.slope}; }
  friend Dual operator*(Dual a, Dual b) { return {a.value * b.value, a.slope * b.value + a.value * b.slope}; }
  friend Dual operator/(Dual a, Dual b) {
    const double q = a.value / b.value;
    return {q, (a.slope - q * b.slope) / b.value};
  }
};
Dual away_from_zero(Dual a) { return std::fabs(a.value) < kLeast ? Dual{kLeast, a.slope} : a; }

/// A continued fraction b0 + a1 / (b1 + a2 / (b2 + ...)), which is evaluated forwards by Lentz's method.
class Fraction {
 public:
  explicit Fraction(Dual b0) : value_(away_from_zero(b0)), c_(value_) {}

  /// Adds the next a and b. Returns false if the value did not change.
  bool next(Dual a, Dual b) {
    d_ = Dual{1} / away_from_zero(b + a * d_);
    c_ = away_from_zero(b + a / c_);
    const Dual factor = c_ * d_;
    value_ = value_ * factor;
    return !(std::fabs(factor.value - 1) < kEpsilon && std::fabs(factor.slope) < kEpsilon);
  }
  Dual value() const { return value_; }

 private:
  Dual value_, c_, d_{0};
};

/// Returns the gradient for shapes above 1e5, by the first two orders of Temme's uniform expansion of the incomplete
/// gamma function (DLMF 8.12).
double gamma_slope_of_large_shape(double shape, double x) {
  const double ratio = x / shape, apart = (x - shape) / shape;
  double half_square = 0;  // eta^2 / 2 = apart - log(1 + apart)
  if (std::fabs(apart) < 0.05) {
    double power = apart * apart;
    for (int k = 2; k < 16; ++k, power *= -apart) half_square += power / k;
  } else {
    half_square = apart - std::log1p(apart);
  }
  const double eta = std::copysign(std::sqrt(2 * half_square), apart), log_ratio = std::log1p(apart);
  // quotient is apart / eta; c is the expansion's first coefficient, and slope is its derivative with respect to eta
  double quotient, c, slope;
  if (std::fabs(eta) < 0.02) {
    quotient = 1 + eta * (1. / 3 + eta * (1. / 36 - eta / 270));
    c = -1. / 3 + eta * (1. / 12 - eta * (2. / 135 - eta / 864));
    slope = 1. / 12 - eta * (4. / 135 - eta / 288);
  } else {
    quotient = apart / eta;
    c = 1 / apart - 1 / eta;
    slope = 1 / (eta * eta) - ratio * eta / (apart * apart * apart);
  }
  const double stirling = 1 + 1 / (12 * shape);
  return ratio * stirling * (quotient - eta / 2 + c * (log_ratio - 0.5 / shape) - slope * quotient / shape);
}

/// Returns the gradient of a gamma number x. For x up to about the shape, uses the series of the lower incomplete gamma
/// function (DLMF 8.7.1). For larger x, uses the continued fraction of the upper incomplete gamma function (DLMF
/// 8.9.2).
double gamma_slope(double shape, double x) {
  if (!(shape > 0) || std::isnan(x) || std::isinf(shape) || std::isinf(x)) return vec::m::kNaN;
  if (x <= 0) return 0;
  if (shape > 1e5) return gamma_slope_of_large_shape(shape, x);
  const double log_x = std::log(x);
  if (x <= shape + 1) {
    double term = 1 / shape, psi = digamma(shape + 1), sum = term * (psi - log_x);
    for (int n = 1; n < kMostSteps; ++n) {
      term *= x / (shape + n);
      psi += 1 / (shape + n);
      const double more = term * (psi - log_x);
      sum += more;
      if (std::fabs(more) < kEpsilon * std::fabs(sum)) break;
    }
    return x * sum;
  }
  const Dual a{shape, 1};
  Dual b = Dual{x + 1} - a;
  Fraction fraction(b);
  for (int n = 1; n < kMostSteps; ++n) {
    b = b + Dual{2};
    if (!fraction.next(Dual{-static_cast<double>(n)} * (Dual{static_cast<double>(n)} - a), b)) break;
  }
  const Dual upper = Dual{1} / fraction.value();  // Gamma(a, x) / (x^a exp(-x))
  return x * (upper.value * (log_x - digamma(shape)) + upper.slope);
}

/// Returns a B(a, b) I_x(a, b) / (x^a (1 - x)^b), by its continued fraction (DLMF 8.17.22). REQUIRES: x up to about the
/// mean.
Dual beta_fraction(Dual a, Dual b, double x) {
  Fraction fraction(Dual{1});
  const Dual one{1}, at{x};
  fraction.next(Dual{0} - (a + b) * at / (a + one), one);
  for (int m = 1; m < kMostSteps; ++m) {
    const Dual k{static_cast<double>(m)}, end = a + k + k;
    fraction.next(k * (b - k) * at / ((end - one) * end), one);
    if (!fraction.next(Dual{0} - (a + k) * (a + b + k) * at / (end * (end + one)), one)) break;
  }
  return one / fraction.value();
}

/// Returns the gradient of a beta number x with parameters a and b. The gradient is with respect to a, and divided by 1
/// - x.
double beta_slope(double x, double a, double b) {
  if (x <= 0 || a <= 0) return 0;
  if (!(a > 0 && b > 0 && x <= 1) || std::isinf(a) || std::isinf(b)) return vec::m::kNaN;
  const double mean = a / (a + b);
  if (std::min(a, b) > 1e7) {  // the beta distribution approaches a normal distribution, whose gradient is returned
    const double apart = (x - mean) / mean;
    return x / a * (std::fabs(apart) < 1e-8 ? 1 : std::log1p(apart) / apart);
  }
  const double log_x = std::log(x), shift = digamma(a + b) - digamma(a);
  if (x < (a + 1) / (a + b + 2)) {
    const Dual lower = beta_fraction({a, 1}, {b}, x);
    return -x / a * (lower.value * (log_x - 1 / a + shift) + lower.slope);
  }
  const Dual upper = beta_fraction({b}, {a, 1}, 1 - x);
  return x / b * (upper.value * (log_x + shift) + upper.slope);
}

/// Sets each element of the output to f(elements of the operands, index), computed in f64.
template <size_t n, class F>
void fill_each(const KernelCall& call, const F& f) {
  const Tensor& out = call.outputs[0];
  const int64_t count = out.numel().as_int();
  if (count == 0) return;
  std::array<Tensor, n> operands;
  std::array<const double*, n> data;
  for (size_t k = 0; k < n; ++k) {
    const Tensor& operand = operands[k] = spread_argument(call, k, out, DType::F64);
    data[k] = operand.data<double>();
  }
  const Tensor& result = operands[0];
  double* const to = result.data<double>();
  parallel_for(count, 1 << 8, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) to[i] = f(data, i);
  });
  copy_elements(out, result);
}

}  // namespace

void gamma_grad_cpu(KernelCall& call) {
  fill_each<2>(call, [](const std::array<const double*, 2>& of, int64_t i) { return gamma_slope(of[0][i], of[1][i]); });
}
void dirichlet_grad_cpu(KernelCall& call) {
  fill_each<3>(call, [](const std::array<const double*, 3>& of, int64_t i) {
    return beta_slope(of[0][i], of[1][i], of[2][i] - of[1][i]);
  });
}

}  // namespace ersatz::op_draw_gradients
