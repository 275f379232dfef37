#include "kernels/sorting/searchsorted.h"

#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

OP_TEST(Searchsorted, CountsWhatStandsBefore) {
  const Tensor sequence = f32({4}, {1, 2, 2, 3});
  expect(ops::searchsorted(sequence, f32({3}, {0, 2, 9}))).meta("i64[3]").values({0, 1, 4});
  expect(ops::searchsorted(sequence, f32({3}, {0, 2, 9}), true, true)).meta("i32[3]").values({0, 3, 4});
}

OP_TEST(Searchsorted, LooksUpEachRowInItsOwnSequence) {
  expect(ops::searchsorted(f32({2, 2}, {1, 2, 5, 6}), f32({2, 1}, {2, 2}))).meta("i64[2,1]").values({1, 0});
}

TEST(SearchsortedOnCpu, RefusesASorterThatPointsOutside) {
  const auto search = [](double place) {
    call_op<"aten.searchsorted.Tensor">(f32({2}, {1, 2}), f32({1}, {1}), false, false, Value(), i64({2}, {0, place}));
  };
  search(1);
  EXPECT_THROW(search(2), Error);
}

TEST(Searchsorted, RefusesPositionsThatDoNotFitI32) {
  const Tensor wide = shape_only("f32[2147483647]{0}"), one = shape_only("f32[1]");
  expect_refused(
      [&] {
        rule_answer("aten.searchsorted.Tensor", {wide, one}, {{"out_int32", true}});
      },
      ErrorFamily::Runtime, "searchsorted.C5");
  expect_refused(
      [&] {
        rule_answer("aten.bucketize.Tensor", {one, wide}, {{"out_int32", true}});
      },
      ErrorFamily::Runtime, "bucketize.C5");
}

OP_TEST(Bucketize, ComparesInTheCommonDType) {
  expect(ops::bucketize(i64({2}, {1, 2}), f32({2}, {1.5, 2.5}))).meta("i64[2]").values({0, 1});
}

}  // namespace
}  // namespace ersatz
