#include "kernels/indexing/scatter_reduce.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

Tensor self() { return i64({3}, {1, 2, 3}); }
Tensor index() { return i64({4}, {0, 0, 1, 0}); }
Tensor source() { return i64({4}, {4, 5, 7, 9}); }

OP_TEST(ScatterReduce, CombinesWithWhatIsThere) {
  expect(ops::scatter_reduce(self(), 0, index(), source(), "sum")).meta("i64[3]").values({19, 9, 3});
  expect(ops::scatter_reduce(self(), 0, index(), source(), "prod")).values({180, 14, 3});
  expect(ops::scatter_reduce(self(), 0, index(), source(), "mean")).values({4, 4, 3});
  expect(ops::scatter_reduce(self(), 0, index(), source(), "amax")).values({9, 7, 3});
  expect(ops::scatter_reduce(self(), 0, index(), source(), "amin")).values({1, 2, 3});
}
OP_TEST(ScatterReduce, BeginsAnewWithoutSelf) {
  expect(ops::scatter_reduce(self(), 0, index(), source(), "sum", false)).values({18, 7, 3});
  expect(ops::scatter_reduce(self(), 0, index(), source(), "mean", false)).values({6, 7, 3});
  expect(ops::scatter_reduce(self(), 0, index(), source(), "amin", false)).values({4, 7, 3});
}
OP_TEST(ScatterReduce, RoundsAMeanOfIntegersDown) {
  expect(ops::scatter_reduce(i64({1}, {-1}), 0, i64({1}, {0}), i64({1}, {-2}), "mean")).values({-2});
}
OP_TEST(ScatterReduce, WritesInPlace) {
  const Tensor x = ramp("f32[2,2]{1,2}");
  EXPECT_TRUE(ops::scatter_reduce_(x, 0, i64({1, 2}, {1, 0}), f32({1, 2}, {10, 20}), "sum").is(x));
  expect(x).meta("f32[2,2]{1,2}").values({0, 21, 12, 3});
}
OP_TEST(ScatterReduce, Refuses) {
  const Tensor x = ramp("f32[4]"), i = i64({2}, {0, 1}), s = ramp("f32[2]");
  expect_refused([&] { ops::scatter_reduce(x, 0, i, s, "add"); }, ErrorFamily::Runtime, "scatter_reduce.C7");
  expect_refused([&] { ops::scatter_reduce(x, 0, s, s, "sum"); }, ErrorFamily::Runtime, "scatter_reduce.C1");
  expect_refused([&] { ops::scatter_reduce(x, 0, i, ramp("f64[2]"), "sum"); }, ErrorFamily::Runtime,
                 "scatter_reduce.C4");
  expect_refused(
      [&] {
        ops::scatter_reduce_(x, 0, i64({4}, {0, 1, 2, 3}), x, "sum");
      },
      ErrorFamily::Runtime, "scatter_reduce_.C6");
}
OP_TEST(ScatterWithReduce, AddsOrMultiplies) {
  expect(ops::scatter(self(), 0, index(), source(), "add")).values({19, 9, 3});
  expect(ops::scatter(self(), 0, index(), source(), "multiply")).values({180, 14, 3});
  expect_refused([] { ops::scatter(self(), 0, index(), source(), "sum"); }, ErrorFamily::Runtime, "scatter.C7");
}
OP_TEST(IndexReduce, CombinesSlices) {
  const Tensor x = ramp("f32[2,2]");
  expect(ops::index_reduce(x, 1, i64({2}, {1, 1}), f32({2, 2}, {2, 3, 4, 5}), "prod")).values({0, 6, 2, 60});
  expect(ops::index_reduce(x, 0, i64({1}, {0}), f32({1, 2}, {4, 5}), "mean", false)).values({4, 5, 2, 3});
}
OP_TEST(IndexReduce, Refuses) {
  const Tensor x = ramp("f32[4]"), i = i64({2}, {0, 1});
  expect_refused([&] { ops::index_reduce(x, 0, i, ramp("f32[2]"), "sum"); }, ErrorFamily::Runtime, "index_reduce.C7");
  expect_refused([&] { ops::index_reduce(x, 0, i, ramp("f32[3]"), "prod"); }, ErrorFamily::Runtime, "index_reduce.C3");
}

}  // namespace
}  // namespace ersatz
