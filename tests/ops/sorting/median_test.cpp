#include "kernels/sorting/median.h"

#include <cmath>

#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

OP_TEST(Median, IsTheLowerOfTwoInTheMiddle) {
  expect(ops::median(f32({4}, {4, 1, 3, 2}))).meta("f32[]").values({2});
  const ops::MedianResult r = ops::median(f32({2, 3}, {3, 1, 2, 5, 6, 4}), 1);
  expect(r.values).meta("f32[2]").values({2, 5});
  expect(r.indices).meta("i64[2]").values({2, 0});
}

OP_TEST(Median, OfWhatHoldsNanIsNan) {
  expect(ops::median(f32({3}, {1, NAN, 2}))).values({NAN});
  expect(ops::nanmedian(f32({3}, {1, NAN, 2}))).values({1});
  expect(ops::nanmedian(f32({2, 2}, {1, NAN, NAN, NAN}), 1).values).values({1, NAN});
}

OP_TEST(Median, OfNothingIsNan) { expect(ops::median(f32({0}))).meta("f32[]").values({NAN}); }

}  // namespace
}  // namespace ersatz
