#include "kernels/reduction/segment_reduce.h"

#include <limits>

#include "tests/ops/slopes.h"

namespace ersatz {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity(), kNan = std::numeric_limits<double>::quiet_NaN();

Tensor reduced(const char* how, const Tensor& data, const Tensor& lengths, std::optional<Scalar> initial = {}) {
  return ops::segment_reduce(data, how, lengths, Tensor(), Tensor(), 0, false, initial);
}

OP_TEST(SegmentReduce, JoinsTheElementsOfASegment) {
  const Tensor x = f32({6}, {1, 3, 3, 2, 4, 5}), n = i64({3}, {3, 0, 3});
  expect(reduced("sum", x, n)).meta("f32[3]").values({7, 0, 11});
  expect(reduced("prod", x, n)).values({9, 1, 40});
  expect(reduced("max", x, n)).values({3, -kInf, 5});
  expect(reduced("amin", x, n)).values({1, kInf, 2});
  expect(reduced("mean", x, n)).values({7.0 / 3, kNan, 11.0 / 3});
}
OP_TEST(SegmentReduce, BeginsWithTheInitialValue) {
  const Tensor x = f32({3}, {1, 3, 2}), n = i64({2}, {0, 3});
  expect(reduced("sum", x, n, 10)).values({10, 16});
  expect(reduced("mean", x, n, 3)).values({3, 3});
}
OP_TEST(SegmentReduce, OfRowsByOffsets) {
  const Tensor x = f32({2, 3}, {1, 2, 3, 4, 5, 6}), at = i64({2, 3}, {0, 1, 3, 0, 0, 2});
  expect(ops::segment_reduce(x, "sum", Tensor(), Tensor(), at, 1)).meta("f32[2,2]").values({1, 5, 0, 9});
}
// As eager: the rows of lengths may have other outer dims, and there may be more of them.
OP_TEST(SegmentReduce, TakesRowsInRowMajorOrder) {
  const Tensor x = f32({2, 1, 2}, {1, 2, 3, 4}), n = i64({3, 1, 2}, {1, 1, 2, 0, 0, 2});
  expect(ops::segment_reduce(x, "sum", n, Tensor(), Tensor(), 2)).meta("f32[2,1,2]").values({1, 2, 7, 0});
  expect_error(
      [&] {
        ops::segment_reduce(x, "sum", i64({1, 1, 2}, {1, 1}), Tensor(), Tensor(), 2);
      },
      "segment_reduce.C4");
}
TEST(SegmentReduce, LooksAtFurtherRowsWhereLengthsHaveToAddUp) {
  const auto reduced = [](const Tensor& x, bool unsafe) {
    return ops::segment_reduce(x, "sum", i64({2, 2}, {1, 1, 2, 1}), Tensor(), Tensor(), 1, unsafe);
  };
  const Tensor x = f32({1, 2}, {3, 4}), none = f32({0, 2}, {});
  expect_refused([&] { reduced(x, false); }, ErrorFamily::Runtime, "segment_reduce.value");
  expect_refused([&] { reduced(none, false); }, ErrorFamily::Runtime, "segment_reduce.value");
  expect(reduced(x, true)).meta("f32[1,2]").values({3, 4});
}
TEST(SegmentReduce, RefusesLengthsThatDoNotAddUp) {
  const Tensor x = f32({3}, {1, 3, 2});
  expect_refused([&] { reduced("sum", x, i64({2}, {1, 1})); }, ErrorFamily::Runtime, "segment_reduce.value");
  expect_refused(
      [&] {
        ops::segment_reduce(x, "sum", Tensor(), Tensor(), i64({2}, {0, 4}));
      },
      ErrorFamily::Runtime, "segment_reduce.value");
}
TEST(SegmentReduceBackward, IsTheSlopeOfTheReduction) {
  const Tensor x = f64({6}, {1, 3, 2.5, 2, 4, 5}), n = i64({2}, {2, 4}), g = f64({2}, {-1, 2});
  for (const char* how : {"sum", "mean", "prod", "max", "min"}) {
    const Tensor y = reduced(how, x, n);
    expect_slopes(ops::_segment_reduce_backward(g, y, x, how, n), x, g, [&] { return reduced(how, x, n); });
  }
}
OP_TEST(SegmentReduceBackward, WithoutSegmentsTheGradientIsZero) {
  const Tensor g = f32({2, 3}, {1, 2, 3, 4, 5, 6}), x = f32({2, 2}, {1, 2, 3, 4});
  expect(ops::_segment_reduce_backward(g, g, x, "sum", i64({2, 0}, {}), Tensor(), 1))
      .meta("f32[2,2]")
      .values({0, 0, 0, 0});
}
// As eager: lengths have one dim, so that the rest of output's sizes are inner ones, and `axis` is not looked at.
OP_TEST(SegmentReduceBackward, TheSizesAroundSegmentsAreThoseOfTheOutput) {
  const Tensor g = f32({2, 2}, {1, 2, 3, 4}), x = f32({3, 3}, {0, 0, 0, 0, 0, 0, 0, 0, 0});
  expect(ops::_segment_reduce_backward(g, g, x, "sum", i64({2}, {1, 2}), Tensor(), 1))
      .meta("f32[3,3]")
      .values({1, 2, 0, 3, 4, 0, 3, 4, 0});
}
OP_TEST(SegmentReduceBackward, ASegmentMayEndInTheNextRow) {
  const Tensor g = f32({2, 1}, {5, 7}), x = f32({2, 2}, {0, 0, 0, 0});
  expect(ops::_segment_reduce_backward(g, g, x, "sum", i64({2, 1}, {3, 1}), Tensor(), 1)).values({5, 5, 7, 0});
}
TEST(SegmentReduceBackward, RefusesSegmentsThatEndBehindTheirTensors) {
  const Tensor g = f32({2}, {1, 2}), x = f32({3}, {1, 3, 2});
  const auto gradient = [&](const Tensor& grad, const Tensor& lengths) {
    ops::_segment_reduce_backward(grad, g, x, "sum", lengths);
  };
  expect_refused([&] { gradient(g, i64({2}, {1, 3})); }, ErrorFamily::Runtime, "_segment_reduce_backward.value");
  expect_refused(
      [&] {
        gradient(f32({1}, {1}), i64({2}, {1, 2}));
      },
      ErrorFamily::Runtime, "_segment_reduce_backward.value");
  gradient(f32({1}, {1}), i64({2}, {3, 0}));
  // (2^62 - 1) * 4, which places of elements would be, is no int64.
  const Tensor wide = f32({2, 4}, {0, 0, 0, 0, 0, 0, 0, 0});
  expect_refused(
      [&] {
        ops::_segment_reduce_backward(wide, wide, wide, "sum", i64({2}, {1, double(int64_t{1} << 62)}));
      },
      ErrorFamily::Runtime, "_segment_reduce_backward.value");
}
OP_TEST(SegmentReduceBackward, ExtremesShareAndZerosAreLeftOut) {
  const Tensor g = f32({1}, {-3}), n = i64({1}, {3});
  expect(ops::_segment_reduce_backward(g, f32({1}, {3}), f32({3}, {1, 3, 3}), "max", n)).values({0, -1.5, -1.5});
  expect(ops::_segment_reduce_backward(g, f32({1}, {0}), f32({3}, {2, 0, 5}), "prod", n)).values({0, -30, 0});
}

}  // namespace
}  // namespace ersatz
