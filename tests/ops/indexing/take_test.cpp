#include "kernels/indexing/take.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(Take, ReadsInRowMajorOrder) {
  expect(ops::take(ramp("f32[2,3]{1,2}"), i64({2, 2}, {0, 5, -1, 1}))).meta("f32[2,2]").values({0, 5, 5, 1});
}
OP_TEST(Take, Refuses) {
  expect_refused([] { ops::take(ramp("f32[2]"), ramp("i32[1]")); }, ErrorFamily::Runtime, "take.C1");
  expect_refused([] { ops::take(ramp("f32[0]"), ramp("i64[1]")); }, ErrorFamily::Index, "take.C2");
}
TEST(Take, RefusesAnIndexOutOfRange) {
  expect_refused([] { ops::take(ramp("f32[2]"), i64({1}, {2})); }, ErrorFamily::Index, "take.value");
}
OP_TEST(Put, WritesInRowMajorOrderAndKeepsTheLayout) {
  expect(ops::put(ramp("f32[2,2]{1,2}"), i64({2}, {1, -1}), f32({2}, {8, 9})))
      .meta("f32[2,2]{1,2}")
      .values({0, 8, 2, 9});
}
OP_TEST(Put, AddsUp) {
  const Tensor x = i64({3}, {1, 2, 3});
  EXPECT_TRUE(ops::put_(x, i64({3}, {0, 0, 2}), i64({3}, {10, 20, 30}), true).is(x));
  expect(x).values({31, 2, 33});
}
OP_TEST(Put, Refuses) {
  const Tensor x = ramp("f32[4]"), i = i64({2}, {0, 1});
  expect_refused([&] { ops::put(x, ramp("i32[2]"), ramp("f32[2]")); }, ErrorFamily::Runtime, "put.C1");
  expect_refused([&] { ops::put(x, i, ramp("f64[2]")); }, ErrorFamily::Runtime, "put.C2");
  expect_refused([&] { ops::put(x, i, ramp("f32[3]")); }, ErrorFamily::Index, "put.C3");
  expect_refused([&] { ops::put(ramp("f32[0]"), i, ramp("f32[2]")); }, ErrorFamily::Index, "put.C4");
  expect_refused([&] { ops::put_(x, i64({4}, {0, 1, 2, 3}), x); }, ErrorFamily::Runtime, "put_.C6");
}
OP_TEST(TakeAlongDim, BroadcastsTheOtherDims) {
  expect(ops::take_along_dim(ramp("f32[2,3]"), i64({1, 2}, {2, 0}), 1)).meta("f32[2,2]").values({2, 0, 5, 3});
  expect(ops::take_along_dim(ramp("f32[2,3]"), i64({2}, {4, 0}))).values({4, 0});
}
OP_TEST(TakeAlongDim, GoesRoundTheDim) {
  expect(ops::take_along_dim(ramp("f32[1,3]"), i64({1, 2}, {-1, 4}), 1)).values({2, 1});
}
OP_TEST(TakeAlongDim, Refuses) {
  const Tensor x = ramp("f32[4,3]");
  expect_refused([&] { ops::take_along_dim(x, ramp("i32[1,1]"), 0); }, ErrorFamily::Runtime, "take_along_dim.C1");
  expect_refused([&] { ops::take_along_dim(x, ramp("i64[2]"), 0); }, ErrorFamily::Runtime, "take_along_dim.C2");
  expect_refused([&] { ops::take_along_dim(x, ramp("i64[3,2]"), 1); }, ErrorFamily::Runtime, "take_along_dim.C3");
}

}  // namespace
}  // namespace ersatz
