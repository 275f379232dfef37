#include <cmath>
#include <limits>

#include "kernels/dense_operand.h"
#include "kernels/random/draw.h"
#include "kernels/random/draw_elements.h"
#include "kernels/random/moments.h"
#include "kernels/random/rejection.h"
#include "runtime/base/parallel.h"
#include "runtime/op/copy.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_rejection {
namespace {

/// The random words of one element. The counter of the first block is the element's number. Later blocks have the same
/// lower half of the counter and a nonzero upper half.
class Stream {
 public:
  Stream(GeneratorState start, int64_t element)
      : seed_(start.seed), block_(start.offset + static_cast<uint64_t>(element)) {}

  /// Returns a uniform number in (0, 1].
  double uniform() {
    const PhiloxWords w = next();
    return 1 - uniform53(w.word[0], w.word[1]);
  }
  double normal() {
    const PhiloxWords w = next();
    return box_muller(uniform53(w.word[0], w.word[1]), uniform53(w.word[2], w.word[3])).even;
  }

 private:
  PhiloxWords next() { return philox_words(seed_, block_, turn_++); }

  uint64_t seed_, block_, turn_ = 0;
};

/// Draws a gamma number: the scaled cube of a normal number, drawn again until it is accepted. For a shape below 1, a
/// number of shape + 1 is drawn and scaled down.
double draw_gamma(double shape, Stream& stream) {
  if (!(shape > 0)) return 0;
  if (std::isinf(shape)) return shape;
  const double scale = shape < 1 ? std::pow(stream.uniform(), 1 / shape) : 1;
  const double d = (shape < 1 ? shape + 1 : shape) - 1.0 / 3, c = 1 / std::sqrt(9 * d);
  for (;;) {
    const double x = stream.normal(), root = 1 + c * x;
    if (root <= 0) continue;
    const double v = root * root * root;
    if (std::log(stream.uniform()) < 0.5 * x * x + d * (1 - v + std::log(v))) return scale * d * v;
  }
}

/// Draws a Poisson number. For small rates, counts how many uniform factors keep a product above exp(-rate). For larger
/// rates, transforms a pair of uniform numbers and accepts or rejects the result.
double draw_poisson(double rate, Stream& stream) {
  if (std::isinf(rate)) return rate;
  if (rate < 10) {
    const double end = std::exp(-rate);
    double count = 0;
    for (double product = stream.uniform(); product > end; product *= stream.uniform()) ++count;
    return rate > 0 ? count : 0;
  }
  const double b = 0.931 + 2.53 * std::sqrt(rate), a = -0.059 + 0.02483 * b, inverse = 1.1239 + 1.1328 / (b - 3.4),
               quick = 0.9277 - 3.6224 / (b - 2);
  for (;;) {
    const double u = stream.uniform() - 0.5, v = stream.uniform(), rest = 0.5 - std::fabs(u);
    const double k = std::floor((2 * a / rest + b) * u + rate + 0.43);
    if (rest >= 0.07 && v <= quick) return k;
    if (k < 0 || rest <= 0 || (rest < 0.013 && v > rest)) continue;
    if (std::log(v * inverse / (a / (rest * rest) + b)) <= k * std::log(rate) - rate - std::lgamma(k + 1)) return k;
  }
}

/// Returns log(k! (n - k)!), the logarithm of the denominator of a binomial coefficient.
double log_ways(double n, double k) { return std::lgamma(k + 1) + std::lgamma(n - k + 1); }

/// Draws a binomial number. For few expected successes, adds up the numbers of trials up to each success, which are
/// geometric numbers. For more, transforms a pair of uniform numbers and accepts or rejects the result. REQUIRES: p <=
/// 1/2.
double draw_successes(double trials, double p, Stream& stream) {
  if (trials * p < 10) {
    const double scale = 1 / std::log1p(-p);
    double count = -1;
    for (double at = 0; at <= trials; ++count) at += std::max(1.0, std::ceil(std::log(stream.uniform()) * scale));
    return count;
  }
  const double spread = std::sqrt(trials * p * (1 - p)), b = 1.15 + 2.53 * spread, a = -0.0873 + 0.0248 * b + 0.01 * p,
               alpha = (2.83 + 5.1 / b) * spread, quick = 0.92 - 4.2 / b;
  const double mode = std::floor((trials + 1) * p), odds = std::log(p / (1 - p)), most = log_ways(trials, mode);
  for (;;) {
    const double u = stream.uniform() - 0.5, v = stream.uniform(), rest = 0.5 - std::fabs(u);
    const double k = std::floor((2 * a / rest + b) * u + trials * p + 0.5);
    if (rest >= 0.07 && v <= quick) return k;
    if (!(k >= 0 && k <= trials)) continue;
    if (std::log(v * alpha / (a / (rest * rest) + b)) <= most - log_ways(trials, k) + (k - mode) * odds) return k;
  }
}

double draw_binomial(double count, double p, Stream& stream) {
  if (count <= 0 || p <= 0) return 0;
  if (p >= 1) return count;
  if (std::isnan(count) || std::isnan(p)) return std::numeric_limits<double>::quiet_NaN();
  if (std::isinf(count)) return count;
  const double trials = std::floor(count);
  return p <= 0.5 ? draw_successes(trials, p, stream) : count - draw_successes(trials, 1 - p, stream);
}

/// Replaces each number by draw(number, index of the number, stream).
template <class F>
void draw_each(const Tensor& numbers, Generator* given, const F& draw) {
  double* const data = numbers.data<double>();
  const int64_t n = numbers.numel().as_int();
  const GeneratorState start = reserve_for(n, 1, generator_or_default(given, numbers.device()));
  parallel_for(n, 1 << 10, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      Stream stream(start, i);
      data[i] = draw(data[i], i, stream);
    }
  });
}
/// Returns a tensor with draw(parameter, stream) for each element, in f64.
template <class F>
Tensor drawn(const KernelCall& call, const F& draw) {
  const Tensor numbers = spread_argument(call, kEach["self"], call.outputs[0], DType::F64);
  draw_each(numbers, call[kEach["generator"]].as_generator(),
            [&](double parameter, int64_t, Stream& stream) { return draw(parameter, stream); });
  return numbers;
}

double least_of(DType t) {
  return t == DType::F64 ? std::numeric_limits<double>::min() : std::numeric_limits<float>::min();
}

}  // namespace

void poisson_cpu(KernelCall& call) {
  const Tensor rates = spread_argument(call, kEach["self"], call.outputs[0], DType::F64);
  for (int64_t i = 0, n = rates.numel().as_int(); i < n; ++i) {
    if (const double rate = rates.data<double>()[i]; !(rate >= 0))
      fail_on_value(call, ErrorFamily::Runtime, "rates must not be negative: element {} is {}", i, rate);
  }
  if (rates.numel().as_int() > 0) copy_elements(call.outputs[0], drawn(call, draw_poisson));
}

void gamma_cpu(KernelCall& call) {
  if (call.outputs[0].numel().as_int() == 0) return;
  const double least = least_of(call.outputs[0].dtype());
  copy_elements(call.outputs[0],
                drawn(call, [&](double shape, Stream& s) { return std::max(least, draw_gamma(shape, s)); }));
}

void dirichlet_cpu(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  const int64_t n = out.numel().as_int();
  if (n == 0) return;
  const double least = least_of(out.dtype());
  const Tensor numbers = drawn(call, [&](double shape, Stream& s) { return std::max(least, draw_gamma(shape, s)); });
  double* const data = numbers.data<double>();
  const int64_t width = out.dim() == 0 ? 1 : out.sizes().back().as_int();
  for (double* row = data; row < data + n; row += width) {
    double sum = 0;
    for (int64_t i = 0; i < width; ++i) sum += row[i];
    for (int64_t i = 0; i < width; ++i) row[i] = std::min(1.0, std::max(least, row[i] / sum));
  }
  copy_elements(out, numbers);
}

void binomial_cpu(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  if (out.numel().as_int() == 0) return;
  const Tensor counts = spread_argument(call, kBinomial["count"], out, DType::F64),
               probs = spread_argument(call, kBinomial["prob"], out, DType::F64);
  const double* const p = probs.data<double>();
  draw_each(counts, call[kBinomial["generator"]].as_generator(),
            [&](double count, int64_t i, Stream& stream) { return draw_binomial(count, p[i], stream); });
  copy_elements(out, counts);
}

}  // namespace ersatz::op_rejection
