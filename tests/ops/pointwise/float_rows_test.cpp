// The error of the f32 rows in vec/math_float.h relative to the exact result, for each instruction set of this machine.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "kernels/cpu_features.h"
#include "kernels/pointwise/row_table.h"

namespace ersatz::float_rows_test {
namespace {

using namespace pointwise;

constexpr float kInf = std::numeric_limits<float>::infinity(), kNan = std::numeric_limits<float>::quiet_NaN();

struct Level {
  const char* name;
  std::unique_ptr<RowTable> table;
  std::vector<float> of(Row row, std::vector<float> x) const {
    void* data[] = {x.data(), x.data()};
    table->kernels[static_cast<int>(row)][static_cast<int>(DType::F32)](data, static_cast<int64_t>(x.size()), {});
    return x;
  }
};

std::vector<Level> levels() {
  std::vector<Level> all;
  const auto add = [&](CpuLevel level, void (*fill)(RowTable&)) {
    if (detected_cpu_level() < level) return;
    all.push_back({name(level).data(), std::make_unique<RowTable>()});
    fill(*all.back().table);
  };
  add(CpuLevel::Baseline, fill_rows_baseline);
#if defined(__x86_64__)
  add(CpuLevel::Avx2, fill_rows_avx2);
  add(CpuLevel::Avx512, fill_rows_avx512);
#endif
  return all;
}

/// About 300,000 floats from `low` to `high`, equally many for each power of two.
std::vector<float> floats_between(float low, float high) {
  std::vector<float> all;
  const auto add = [&](float limit, float sign) {
    for (float x = std::numeric_limits<float>::denorm_min(); x < limit; x = x * 1.0013f + 1e-45f)
      all.push_back(sign * x);
    all.push_back(sign * limit);
  };
  if (low < 0) add(-low, -1);
  if (high > 0) add(high, 1);
  return all;
}

double ulp(double exact) {
  const float to = std::abs(static_cast<float>(exact));
  return static_cast<double>(std::nextafter(to, kInf)) - static_cast<double>(to);
}

/// The largest `error(x, computed, exact)` over all x.
double worst(const Level& level, Row row, const std::vector<float>& x, double (*exact)(double),
             double (*error)(double x, double seen, double exact)) {
  const std::vector<float> y = level.of(row, x);
  double most = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    const double e = error(static_cast<double>(x[i]), static_cast<double>(y[i]), exact(static_cast<double>(x[i])));
    if (!(e <= most)) most = e;
  }
  return most;
}

double in_ulps(double, double seen, double exact) { return std::abs(seen - exact) / ulp(exact); }
double absolute(double, double seen, double exact) { return std::abs(seen - exact); }
double relative(double, double seen, double exact) { return std::abs(seen - exact) / std::abs(exact); }

double exact_gelu(double x) { return x * 0.5 * std::erfc(-x / std::sqrt(2.0)); }
double exact_gelu_tanh(double x) { return x / (1 + std::exp(-2 * std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x))); }

TEST(FloatRows, ExpIsWithinAnUlpAndAFifth) {
  const std::vector<float> x = floats_between(-104, 88.7f);
  for (const Level& level : levels()) {
    EXPECT_LT(worst(
                  level, Row::exp, x, [](double v) { return std::exp(v); }, in_ulps),
              1.2)
        << level.name;
  }
}

TEST(FloatRows, ExpEndsInZeroAndInfinity) {
  for (const Level& level : levels()) {
    const std::vector<float> y = level.of(Row::exp, {-kInf, -1e30f, -104, -0.f, 0, 89, 1e30f, kInf, kNan});
    EXPECT_EQ(std::vector<float>(y.begin(), y.end() - 1), std::vector<float>({0, 0, 0, 1, 1, kInf, kInf, kInf}))
        << level.name;
    EXPECT_TRUE(std::isnan(y.back())) << level.name;
  }
}

TEST(FloatRows, GeluOfPositiveNumbersIsWithinThreeUlps) {
  const std::vector<float> x = floats_between(0, 3e38f);
  for (const Level& level : levels()) {
    EXPECT_LT(worst(level, Row::gelu_erf, x, exact_gelu, in_ulps), 3) << level.name;
    EXPECT_LT(worst(level, Row::gelu_tanh, x, exact_gelu_tanh, in_ulps), 3) << level.name;
  }
}

TEST(FloatRows, GeluOfSmallNegativesHasMillionthOfError) {
  std::vector<float> x;
  for (const float v : floats_between(-3, 0)) {
    if (v < -1e-30f) x.push_back(v);
  }
  for (const Level& level : levels()) {
    EXPECT_LT(worst(level, Row::gelu_erf, x, exact_gelu, relative), 1.2e-6) << level.name;
    EXPECT_LT(worst(level, Row::gelu_tanh, x, exact_gelu_tanh, relative), 1.2e-6) << level.name;
  }
}

// x * (1 + erf) / 2, computed in floats, has an error of up to 0.83e-7.
TEST(FloatRows, GeluOfNegativeNumbersIsWithinTenMillionth) {
  const std::vector<float> x = floats_between(-3e38f, 0);
  for (const Level& level : levels()) {
    EXPECT_LT(worst(level, Row::gelu_erf, x, exact_gelu, absolute), 1.1e-7) << level.name;
    EXPECT_LT(worst(level, Row::gelu_tanh, x, exact_gelu_tanh, absolute), 1.1e-7) << level.name;
  }
}

// 2^x of these numbers overflows a float, which a build with UBSan would report.
TEST(FloatRows, GeluFarFromZeroIsNumberOrZero) {
  for (const Level& level : levels()) {
    const std::vector<float> x{6, 8, 10, 12, 14, 15, 16, 20, 30, 40, 100, 1000, 1e6f, 1e18f};
    EXPECT_EQ(level.of(Row::gelu_erf, x), x) << level.name;
    for (const float v : x) EXPECT_EQ(level.of(Row::gelu_erf, {-v})[0], 0) << level.name << v;
    const float nan = std::numeric_limits<float>::quiet_NaN();
    for (const float v : level.of(Row::gelu_erf, {nan, -nan})) EXPECT_TRUE(std::isnan(v)) << level.name;
  }
}

TEST(FloatRows, GeluKeepsSignedZerosAndInfinities) {
  for (const Level& level : levels()) {
    for (const Row row : {Row::gelu_erf, Row::gelu_tanh}) {
      const std::vector<float> y = level.of(row, {0, -0.f, -1000, kInf, 3e38f, -kInf, kNan});
      EXPECT_EQ(y[0], 0) << level.name;
      EXPECT_FALSE(std::signbit(y[0])) << level.name;
      for (const size_t i : {size_t{1}, size_t{2}}) {
        EXPECT_EQ(y[i], 0) << level.name;
        EXPECT_TRUE(std::signbit(y[i])) << level.name;
      }
      EXPECT_EQ(y[3], kInf) << level.name;
      EXPECT_EQ(y[4], 3e38f) << level.name;
      EXPECT_TRUE(std::isnan(y[5])) << level.name;
      EXPECT_TRUE(std::isnan(y[6])) << level.name;
    }
  }
}

TEST(FloatRows, GradientOfGeluIsWithinThreeTenMillionths) {
  std::vector<float> y = floats_between(-20, 20), x(y.size(), 1.f), out(y.size());
  for (const Level& level : levels()) {
    void* data[] = {out.data(), x.data(), y.data()};
    level.table->kernels[static_cast<int>(Row::gelu_erf_backward)][static_cast<int>(DType::F32)](
        data, static_cast<int64_t>(y.size()), {});
    for (size_t i = 0; i < y.size(); ++i) {
      const double v = static_cast<double>(y[i]),
                   exact = 0.5 * std::erfc(-v / std::sqrt(2.0)) + v * std::exp(-v * v / 2) / std::sqrt(2 * M_PI);
      ASSERT_NEAR(static_cast<double>(out[i]), exact, 3e-7) << level.name << " at " << v;
    }
  }
}

}  // namespace
}  // namespace ersatz::float_rows_test
