#include "kernels/linalg/pairwise_distance.h"

#include <limits>

#include "tests/ops/slopes.h"

namespace ersatz {
namespace {

constexpr double kLargest = std::numeric_limits<double>::infinity();

Tensor points() { return f64({3, 2}, {0, 0, 3, 4, 0, 1}); }

TEST(CdistOnCpu, OfManyRowsOfAnyLength) {
  for (const int64_t m : {1, 7, 128, 300}) {
    for (const int64_t n : {1, 3, 16, 65, 130}) {
      std::vector<double> x(size_t(2 * m)), y(size_t(n * m));
      for (size_t i = 0; i < x.size(); ++i) x[i] = double(i * 31 % 17) / 8 - 1;
      for (size_t i = 0; i < y.size(); ++i) y[i] = double(i * 13 % 29) / 8 - 2;
      for (const double p : {0.0, 1.0, 2.0, 2.5, kLargest}) {
        std::vector<double> expected;
        for (int64_t i = 0; i < 2 * n; ++i) {
          double sum = 0;
          for (int64_t c = 0; c < m; ++c) {
            const double d = std::abs(x[size_t(i / n * m + c)] - y[size_t(i % n * m + c)]);
            sum = p == kLargest ? std::max(sum, d) : sum + (p == 0 ? d != 0 : std::pow(d, p));
          }
          expected.push_back(p == 0 || p == kLargest ? sum : std::pow(sum, 1 / p));
        }
        for (const char* t : {"f32", "f64"}) {
          const Tensor d =
              ops::cdist(make(fmt::format("{}[2,{}]", t, m), x), make(fmt::format("{}[{},{}]", t, n, m), y), p);
          const std::vector<double> seen = values_of(d);
          for (size_t i = 0; i < expected.size(); ++i) {
            ASSERT_NEAR(seen[i], expected[i], (*(t + 1) == '3' ? 2e-6 : 1e-13) * (1 + expected[i]))
                << "p " << p << ", " << m << " elements, distance " << i << " of " << n;
          }
        }
      }
    }
  }
}
TEST(CdistBackward, IsTheSlopeOfTheDistance) {
  const Tensor x = f64({2, 2}, {0.5, 1, -2, 0.25}), y = points(), g = f64({2, 3}, {1, 2, 3, -1, 0.5, 2});
  for (const double p : {1.0, 1.5, 2.0, 3.0, kLargest}) {
    const Tensor d = ops::cdist(x, y, p);
    expect_slopes(ops::_cdist_backward(g, x, y, p, d), x, g, [&] { return ops::cdist(x, y, p); });
  }
}
TEST(PdistBackward, IsTheSlopeOfTheDistance) {
  const Tensor x = f64({3, 2}, {0.5, 1, -2, 0.25, 3, 1.5}), g = f64({3}, {1, -2, 3});
  for (const double p : {1.0, 1.5, 2.0, kLargest}) {
    const Tensor d = ops::_pdist_forward(x, p);
    expect_slopes(ops::_pdist_backward(g, x, p, d), x, g, [&] { return ops::_pdist_forward(x, p); });
  }
}
}  // namespace
}  // namespace ersatz
