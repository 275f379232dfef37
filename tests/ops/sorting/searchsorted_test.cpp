#include "kernels/sorting/searchsorted.h"

#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

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

}  // namespace
}  // namespace ersatz
