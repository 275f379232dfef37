#include "kernels/linalg/pairwise_distance.h"

#include <limits>

#include "tests/ops/slopes.h"

namespace ersatz {
namespace {

constexpr double kLargest = std::numeric_limits<double>::infinity();

Tensor points() { return f64({3, 2}, {0, 0, 3, 4, 0, 1}); }

OP_TEST(Cdist, OfEachNorm) {
  const Tensor x = f64({1, 2}, {0, 0}), y = points();
  expect(ops::cdist(x, y)).meta("f64[1,3]").values({0, 5, 1});
  expect(ops::cdist(x, y, 1)).values({0, 7, 1});
  expect(ops::cdist(x, y, 0)).values({0, 2, 1});
  expect(ops::cdist(x, y, kLargest)).values({0, 4, 1});
  expect(ops::cdist(x, y, 3)).values({0, 4.497941445275415, 1});
}
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
TEST(CdistOnCpu, OfHalvesIsRoundedOnce) {
  expect(ops::cdist(make("bf16[1,2]", {0, 0}), make("bf16[2,2]", {3, 4, 1, 1}), 2, 1))
      .meta("bf16[1,2]")
      .values({5, 1.4140625});
}
// As eager: the largest of no numbers is 0, but pdist's is NaN.
TEST(CdistOnCpu, ANanCountsInEachNormButThatOfTheLargestDifference) {
  const Tensor x = f32({1, 3}, {0, 0, 0}), y = f32({2, 3}, {1, NAN, 1, NAN, NAN, NAN});
  for (const double p : {0.0, 1.0, 2.0, 1.5}) expect(ops::cdist(x, y, p)).values({NAN, NAN});
  expect(ops::cdist(x, y, kLargest)).values({1, 0});
  expect(ops::pdist(f32({2, 3}, {0, 0, 0, 1, NAN, 1}), kLargest)).values({NAN});
}
OP_TEST(Distances, OfRowsWithoutElementsAreZeroWhateverTheirDtypes) {
  expect(ops::cdist(make("f16[1,0]", {}), make("f64[2,0]", {}))).meta("f16[1,2]").values({0, 0});
  expect(ops::_pdist_forward(make("i64[3,0]", {}))).meta("i64[3]").values({0, 0, 0});
  expect(ops::_pdist_forward(f32({2, 2}, {0, 0, 1, 5}), -kLargest)).values({5});
}
OP_TEST(Cdist, BroadcastsBatches) {
  const Tensor x = f64({2, 1, 2}, {0, 0, 3, 0});
  expect(ops::cdist(x, points())).meta("f64[2,1,3]").values({0, 5, 1, 3, 4, 3.1622776601683795});
}
OP_TEST(Cdist, OfNothingIsZero) {
  expect(ops::cdist(f32({2, 0}, {}), f32({3, 0}, {}))).meta("f32[2,3]").values({0, 0, 0, 0, 0, 0});
  expect(ops::cdist(f32({0, 2}, {}), f32({3, 2}, {0, 0, 0, 0, 0, 0}))).meta("f32[0,3]");
}
// As eager, which returns before it looks at them.
OP_TEST(CdistBackward, WithoutDistancesTheOtherArgumentsMayBeAnything) {
  expect(run("aten._cdist_backward.default",
             {f64({4}, {1, 2, 3, 4}), f32({1, 2}, {1, 2}), f32({0, 2}, {}), 2.0, f32({1, 5}, {1, 2, 3, 4, 5})}))
      .meta("f32[1,2]")
      .values({0, 0});
}
TEST(CdistBackward, IsTheSlopeOfTheDistance) {
  const Tensor x = f64({2, 2}, {0.5, 1, -2, 0.25}), y = points(), g = f64({2, 3}, {1, 2, 3, -1, 0.5, 2});
  for (const double p : {1.0, 1.5, 2.0, 3.0, kLargest}) {
    const Tensor d = ops::cdist(x, y, p);
    expect_slopes(ops::_cdist_backward(g, x, y, p, d), x, g, [&] { return ops::cdist(x, y, p); });
  }
}
OP_TEST(Pdist, OfEachPair) {
  expect(ops::pdist(points())).meta("f64[3]").values({5, 1, 4.242640687119285});
  expect(ops::pdist(f64({1, 2}, {1, 2}))).meta("f64[0]");
}
TEST(PdistBackward, IsTheSlopeOfTheDistance) {
  const Tensor x = f64({3, 2}, {0.5, 1, -2, 0.25, 3, 1.5}), g = f64({3}, {1, -2, 3});
  for (const double p : {1.0, 1.5, 2.0, kLargest}) {
    const Tensor d = ops::_pdist_forward(x, p);
    expect_slopes(ops::_pdist_backward(g, x, p, d), x, g, [&] { return ops::_pdist_forward(x, p); });
  }
}
// As eager: of operands that are too large the first elements count.
OP_TEST(CdistBackward, ReadsTheFirstElementsOfLargerOperands) {
  const Tensor x1 = f64({1, 1}, {0}), x2 = f64({2, 1}, {3, -4}), wide = f64({2, 2}, {3, -4, 7, 7});
  const Tensor grad = f64({1, 3}, {1, 10, 100}), distances = f64({2, 2}, {3, 4, 0, 0});
  expect(ops::_cdist_backward(grad, x1, x2, 2, distances)).meta("f64[1,1]").values({9});
  expect(ops::_cdist_backward(grad, x1, wide, 2, distances)).values({9});
  expect_error([&] { ops::_cdist_backward(f64({1}, {1}), x1, x2, 2, distances); }, "_cdist_backward.C6");
}
OP_TEST(Pdist, ReadsTheFirstElementsOfATensorOfMoreDims) {
  expect(ops::_pdist_forward(f64({2, 2, 2}, {0, 0, 3, 4, 9, 9, 9, 9}))).meta("f64[1]").values({5});
  expect_error([] { ops::_pdist_forward(f64({2, 2, 0}, {})); }, "_pdist_forward.C1");
}
OP_TEST(PdistBackward, ReadsTheFirstElementsOfLargerOperands) {
  const Tensor two = f64({2, 1}, {0, 3}), grad = f64({2, 2}, {5, 6, 7, 8}), distances = f64({3}, {3, 1, 1});
  expect(ops::_pdist_backward(grad, two, 2, distances)).meta("f64[2,1]").values({-5, 5});
  expect(ops::_pdist_backward(grad, f64({2, 1, 2}, {0, 3, 9, 9}), 2, distances))
      .meta("f64[2,1,2]")
      .values({-5, 5, 0, 0});
  expect(ops::_pdist_backward(grad, f64({1, 1}, {4}), 2, distances)).meta("f64[1,1]").values({0});
}
OP_TEST(DistanceGradients, OfPZeroAreZeroWhateverTheOtherArgumentsAre) {
  expect(ops::_pdist_backward(f32({}, {1}), f64({3}, {1, 2, 3}), 0, f32({1}, {1}))).meta("f64[3]").values({0, 0, 0});
  expect(ops::_cdist_backward(f32({1}, {1}), f64({1, 2}, {1, 2}), f64({2, 1}, {1, 2}), 0, f32({1}, {1})))
      .meta("f64[1,2]")
      .values({0, 0});
}
// As eager: cdist passes over it where the largest difference is asked for, pdist does not.
OP_TEST(Pdist, ANanIsTheLargestDifferenceAndThatOfCdistIsNot) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const Tensor x = f64({2, 3}, {kNan, 1, 0, 0, 0, 0}), y = f64({1, 3}, {0, 0, 0});
  expect(ops::pdist(x, kLargest)).values({kNan});
  expect(ops::pdist(x, 0)).values({kNan});
  expect(ops::cdist(x, y, kLargest)).values({1, 0});
  expect(ops::cdist(x, y, 0)).values({kNan, 0});
}
// 0.1 - 0.7 is no f32: the difference is rounded before it is held against the distance.
OP_TEST(CdistBackward, TheLargestDifferenceOfSinglePrecisionHasASlope) {
  const Tensor x = f32({1, 1}, {0.1}), y = f32({1, 1}, {0.7}), g = f32({1, 1}, {2});
  expect(ops::_cdist_backward(g, x, y, kLargest, ops::cdist(x, y, kLargest))).values({-2});
}
OP_TEST(EuclideanDist, IsOneProduct) {
  expect(ops::_euclidean_dist(f64({1, 2}, {0, 0}), points())).meta("f64[1,3]").values({0, 5, 1});
}

}  // namespace
}  // namespace ersatz
