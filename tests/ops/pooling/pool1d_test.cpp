#include "kernels/pooling/pool1d.h"

#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

OP_TEST(MaxPool1d, TakesTheLargestOfEachWindow) {
  expect(ops::max_pool1d(f32({1, 5}, {1, 5, 2, 4, 3}), dims({2}), dims({2}), {}, {}, true))
      .meta("f32[1,3]")
      .values({5, 4, 3});
  expect(ops::max_pool1d(f32({1, 2}, {-1, -2}), dims({2}), dims({1}), dims({1}))).values({-1, -1, -2});
}
OP_TEST(MaxPool1d, IsRowMajorOnTheCpuWhateverTheInput) {
  expect(ops::max_pool1d(ramp("f32[2,3,4]{12,1,3}"), dims({2}))).meta("f32[2,3,2]");
}
OP_TEST(MaxPool1dWithIndices, KeepsChannelsInnermost) {
  auto [out, indices] = ops::max_pool1d_with_indices(ramp("f32[2,3,4]{12,1,3}"), dims({2}));
  expect(out).meta("f32[2,3,2]{6,1,3}").values({1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23});
  expect(indices).meta("i64[2,3,2]{6,1,3}").values({1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3});
}
OP_TEST(MaxPool2d, AnswersTheValuesAlone) {
  expect(ops::max_pool2d(ramp("i64[1,2,2]"), dims({2}))).meta("i64[1,1,1]").values({3});
}
OP_TEST(AvgPool1d, AveragesEachWindow) {
  expect(ops::avg_pool1d(f32({1, 4}, {1, 3, 5, 7}), dims({2}))).meta("f32[1,2]").values({2, 6});
}
OP_TEST(AdaptiveAvgPool1d, CoversTheInput) {
  expect(ops::adaptive_avg_pool1d(f32({1, 4}, {1, 3, 5, 7}), dims({1}))).meta("f32[1,1]").values({4});
}
OP_TEST(Pool1d, RefusesWhatDoesNotFit) {
  expect_refused([] { ops::max_pool1d(ramp("f32[2,0,4]"), dims({2})); }, ErrorFamily::Runtime, "max_pool1d.C2");
  expect_refused([] { ops::max_pool1d(ramp("f32[2,4]"), dims({2}), dims({0})); }, ErrorFamily::Runtime,
                 "max_pool1d.C3");
  expect_refused([] { ops::avg_pool1d(ramp("f32[4]"), dims({2})); }, ErrorFamily::Runtime, "avg_pool1d.C2");
}

}  // namespace
}  // namespace ersatz
