#include "kernels/random/rejection.h"

#include <cmath>

#include "runtime/tensor/generator.h"
#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

Tensor constant(std::string_view meta, double value) {
  return make(meta, std::vector<double>(static_cast<size_t>(parse_meta(meta).numel().as_int()), value));
}

constexpr int64_t kDraws = 20000;

/// Expects mean and variance of the numbers within five standard deviations of their estimates. `fourth` is the fourth
/// central moment.
void expect_moments(const Tensor& drawn, double mean, double variance, double fourth) {
  const std::vector<double> values = values_of(drawn);
  const double n = static_cast<double>(values.size());
  double sum = 0, squares = 0;
  for (double v : values) sum += v;
  for (double v : values) squares += (v - sum / n) * (v - sum / n);
  EXPECT_NEAR(sum / n, mean, 5 * std::sqrt(variance / n));
  EXPECT_NEAR(squares / (n - 1), variance, 5 * std::sqrt((fourth - variance * variance) / n));
}
Tensor parameters(double value) { return constant(fmt::format("f64[{}]", kDraws), value); }

TEST(Poisson, HasTheRateAsMeanAndAsVariance) {
  manual_seed(7);
  for (double rate : {0.3, 4.0, 9.9, 10.0, 45.0, 1e4})
    expect_moments(ops::poisson(parameters(rate)), rate, rate, rate + 3 * rate * rate);
}
TEST(StandardGamma, HasTheShapeAsMeanAndAsVariance) {
  manual_seed(7);
  for (double shape : {0.4, 1.0, 2.5, 60.0})
    expect_moments(ops::_standard_gamma(parameters(shape)), shape, shape, 3 * shape * shape + 6 * shape);
}
// If both concentrations are 1, the first of the two numbers is uniform.
TEST(SampleDirichlet, IsUniformOfTwoOnes) {
  manual_seed(7);
  const Tensor drawn = ops::_sample_dirichlet(constant(fmt::format("f64[{},2]", kDraws), 1));
  std::vector<double> first, both = values_of(drawn);
  for (size_t i = 0; i < both.size(); i += 2) {
    first.push_back(both[i]);
    EXPECT_NEAR(both[i] + both[i + 1], 1, 1e-12);
  }
  expect_moments(make(fmt::format("f64[{}]", kDraws), first), 0.5, 1.0 / 12, 1.0 / 80);
}
TEST(Binomial, HasMeanAndVarianceOfItsTrials) {
  manual_seed(7);
  for (const auto& [n, p] : {std::pair{3.0, 0.2}, {10.0, 0.3}, {25.0, 0.5}, {100.0, 0.4}, {1000.0, 0.9}, {1e6, 0.01}}) {
    const double variance = n * p * (1 - p);
    expect_moments(ops::binomial(parameters(n), parameters(p)), n * p, variance,
                   3 * variance * variance + variance * (1 - 6 * p * (1 - p)));
  }
}
// ersatz draws as eager does: for p above one half, failures are drawn and subtracted from the count, which is not
// rounded first.
TEST(Binomial, RoundsTheTrialsDown) {
  manual_seed(7);
  for (double v : values_of(ops::binomial(constant("f64[300]", 2.5), constant("f64[1]", 0.4))))
    EXPECT_TRUE(v == 0 || v == 1 || v == 2) << v;
  for (double v : values_of(ops::binomial(constant("f64[300]", 2.5), constant("f64[1]", 0.6))))
    EXPECT_TRUE(v == 0.5 || v == 1.5 || v == 2.5) << v;
}
// The values are PyTorch 2.15's. PyTorch does not return if the count is NaN, so the expected value there is ersatz's.
OP_TEST(Binomial, IsCertainAtTheEnds) {
  expect(ops::binomial(f32({9}, {5, 5, 5, 5, 0, -1, 2.5, 5, INFINITY}), f32({9}, {0, -1, 1, 2, 0.5, 0.5, 1, NAN, 0.5})))
      .meta("f32[9]")
      .values({0, 0, 5, 5, 0, 0, 2.5, NAN, INFINITY});
  expect(ops::binomial(f32({1}, {NAN}), f32({1}, {0.5}))).values({NAN});
}
TEST(Poisson, OneSeedDrawsSameForAnyRateLayout) {
  manual_seed(3);
  const std::vector<double> a = values_of(ops::poisson(constant("f32[40,30]", 20)));
  manual_seed(3);
  EXPECT_EQ(values_of(ops::poisson(constant("f32[40,30]{1,40}", 20))), a);
}
OP_TEST(Poisson, IsZeroOfRateZeroAndRowMajor) {
  expect(ops::poisson(constant("f32[2,3]{1,2}", 0))).meta("f32[2,3]").values({0, 0, 0, 0, 0, 0});
}
TEST(Poisson, RefusesNegativeRates) {
  EXPECT_THROW(ops::poisson(f32({2}, {1, -1})), Error);
  EXPECT_THROW(ops::poisson(f32({1}, {NAN})), Error);
}
// PyTorch 2.15.
OP_TEST(StandardGamma, NonPositiveShapesGiveTheLeastNormalNumber) {
  expect(ops::_standard_gamma(f32({3}, {-1, 0, NAN}))).values({0x1p-126, 0x1p-126, 0x1p-126});
}

}  // namespace
}  // namespace ersatz
