// Compares the softmax loops of each instruction set of this machine with exact results.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "kernels/cpu_features.h"
#include "kernels/reduction/softmax_loops.h"

namespace ersatz::softmax_loops_test {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity(), kNan = std::numeric_limits<float>::quiet_NaN();
using Floats = std::vector<float>;

struct Level {
  const char* name;
  SoftmaxLoopTable table;
};

std::vector<Level> levels() {
  std::vector<Level> all;
  const auto add = [&](CpuLevel level, void (*fill)(SoftmaxLoopTable&)) {
    if (detected_cpu_level() < level) return;
    all.push_back({name(level).data(), {}});
    fill(all.back().table);
  };
  add(CpuLevel::Baseline, fill_softmax_loops_baseline);
#if defined(__x86_64__)
  add(CpuLevel::Avx2, fill_softmax_loops_avx2);
  add(CpuLevel::Avx512, fill_softmax_loops_avx512);
#endif
  return all;
}

template <class T>
std::vector<T> noise(int64_t n) {
  std::mt19937 engine(static_cast<unsigned>(n));
  std::normal_distribution<T> normal(0, 4);
  std::vector<T> x(static_cast<size_t>(n));
  for (T& v : x) v = normal(engine);
  return x;
}

template <class T>
long double sum_of_exponentials(const std::vector<T>& x, size_t first, size_t n, size_t step) {
  long double sum = 0;
  for (size_t i = 0; i < n; ++i) sum += std::exp(static_cast<long double>(x[first + i * step]));
  return sum;
}

template <class T>
void expect_near(const SoftmaxLoops<T>& loops, size_t n, double relative, const char* level) {
  const std::vector<T> x = noise<T>(static_cast<int64_t>(n));
  std::vector<T> p(n + 1, T(7)), l(n + 1, T(7));
  loops.row(x.data(), p.data(), static_cast<int64_t>(n), SoftmaxKind::Probabilities);
  loops.row(x.data(), l.data(), static_cast<int64_t>(n), SoftmaxKind::Logarithms);
  const long double sum = sum_of_exponentials(x, 0, n, 1);
  for (size_t i = 0; i < n; ++i) {
    const long double exact = std::exp(static_cast<long double>(x[i])) / sum, logarithm = std::log(exact);
    ASSERT_NEAR(double(p[i] / exact), 1, relative) << level << ": " << i << " of " << n;
    ASSERT_NEAR(double(l[i]), double(logarithm), relative * std::max(1.0, double(-logarithm)))
        << level << ": " << i << " of " << n;
  }
  EXPECT_EQ(p[n], T(7)) << level << ": written behind " << n;
  EXPECT_EQ(l[n], T(7)) << level << ": written behind " << n;
}

TEST(SoftmaxLoops, RowsOfAnyLengthAreNearExactResult) {
  for (const Level& level : levels()) {
    for (const size_t n : {1, 2, 3, 15, 16, 17, 31, 64, 100, 128, 1000, 4096, 4097, 32768}) {
      expect_near(level.table.of_float, n, 2e-6,
                  level.name);  // x - max is rounded, and the error grows with the size of x - max
      expect_near(level.table.of_double, n, 1e-14, level.name);
    }
  }
}

TEST(SoftmaxLoops, ColumnsAreNearTheExactResult) {
  constexpr size_t n = 37, inner = 70;
  const Floats x = noise<float>(n * inner);
  for (const Level& level : levels()) {
    for (const size_t width : {1, 3, 16, 33, 63, 64}) {
      Floats p(x.size(), 7), l(x.size(), 7), scratch(n * width);
      const auto run = [&](Floats& to, SoftmaxKind kind) {
        level.table.of_float.columns(x.data() + 1, to.data() + 1, n, inner, static_cast<int64_t>(width), scratch.data(),
                                     kind);
      };
      run(p, SoftmaxKind::Probabilities);
      run(l, SoftmaxKind::Logarithms);
      for (size_t at = 0; at < x.size(); ++at) {
        const size_t j = at % inner;
        if (j < 1 || j > width) {
          ASSERT_EQ(p[at], 7) << level.name;
          ASSERT_EQ(l[at], 7) << level.name;
          continue;
        }
        const long double exact = std::exp(static_cast<long double>(x[at])) / sum_of_exponentials(x, j, n, inner);
        ASSERT_NEAR(double(p[at] / exact), 1, 2e-6) << level.name << " of " << width;
        ASSERT_NEAR(double(l[at]), double(std::log(exact)), 5e-6) << level.name << " of " << width;
      }
    }
  }
}

TEST(SoftmaxLoops, ANanAnywhereMakesItsRowNan) {
  for (const Level& level : levels()) {
    for (size_t at = 0; at < 35; ++at) {
      Floats x(35, 1), y(35);
      x[at] = kNan;
      level.table.of_float.row(x.data(), y.data(), 35, SoftmaxKind::Probabilities);
      for (const float v : y) ASSERT_TRUE(std::isnan(v)) << level.name << " at " << at;
    }
  }
}

TEST(SoftmaxLoops, OnlyARowOfMinusInfinitiesIsHidden) {
  for (const Level& level : levels()) {
    for (const bool with_nan : {false, true}) {
      Floats row(20, -kInf), columns(20 * 3, -kInf), y(20), z(20 * 3), scratch(20 * 3);
      if (with_nan) row[7] = columns[7 * 3 + 1] = kNan;
      level.table.of_float.row(row.data(), y.data(), 20, SoftmaxKind::HiddenRowsAreZero);
      level.table.of_float.columns(columns.data(), z.data(), 20, 3, 3, scratch.data(), SoftmaxKind::HiddenRowsAreZero);
      for (size_t i = 0; i < 20; ++i) {
        EXPECT_EQ(std::isnan(y[i]), with_nan) << level.name;
        EXPECT_EQ(std::isnan(z[i * 3 + 1]), with_nan) << level.name;
        EXPECT_EQ(z[i * 3], 0) << level.name;
        if (!with_nan) {
          EXPECT_EQ(y[i], 0) << level.name;
        }
      }
    }
  }
}

TEST(SoftmaxLoops, PlusInfinityMakesItsRowNan) {
  for (const Level& level : levels()) {
    Floats x{-kInf, 0, 0}, y(3);
    level.table.of_float.row(x.data(), y.data(), 3, SoftmaxKind::Probabilities);
    EXPECT_EQ(y, Floats({0, 0.5f, 0.5f})) << level.name;
    level.table.of_float.row(x.data(), y.data(), 3, SoftmaxKind::Logarithms);
    EXPECT_EQ(y[0], -kInf) << level.name;
    x = {kInf, 0, 0};
    level.table.of_float.row(x.data(), y.data(), 3, SoftmaxKind::Probabilities);
    for (const float v : y) EXPECT_TRUE(std::isnan(v)) << level.name;
  }
}

}  // namespace
}  // namespace ersatz::softmax_loops_test
