#include "kernels/indexing/index_copy.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(IndexCopy, ReplacesSlices) {
  const Tensor x = i64({3, 2}, {1, 2, 3, 4, 5, 6});
  expect(ops::index_copy(x, 0, i64({2}, {2, 0}), i64({2, 2}, {7, 8, 9, 10})))
      .meta("i64[3,2]")
      .values({9, 10, 3, 4, 7, 8});
  expect(ops::index_copy(x, 1, i64({1}, {1}), i64({3, 1}, {7, 8, 9}))).values({1, 7, 3, 8, 5, 9});
}
OP_TEST(IndexCopy, IsRowMajorWhateverSelfIs) {
  expect(ops::index_copy(ramp("f32[2,3]{1,2}"), 0, i64({1}, {0}), f32({1, 3}, {7, 8, 9}))).meta("f32[2,3]{3,1}");
}
OP_TEST(IndexCopy, WritesInPlace) {
  const Tensor x = ramp("f32[2,2]{1,2}");
  EXPECT_TRUE(ops::index_copy_(x, 0, i64({1}, {1}), f32({1, 2}, {8, 9})).is(x));
  expect(x).meta("f32[2,2]{1,2}").values({0, 1, 8, 9});
}
OP_TEST(IndexCopy, TakesASourceWithoutDims) {
  expect(ops::index_copy(ramp("f32[3]"), 0, i64({1}, {1}), f32({}, {9}))).values({0, 9, 2});
}
OP_TEST(IndexCopy, Refuses) {
  const Tensor x = ramp("f32[4,3]"), i = i64({2}, {0, 1});
  expect_refused([&] { ops::index_copy(x, 0, ramp("i32[2]"), ramp("f32[2,3]")); }, ErrorFamily::Runtime,
                 "index_copy.C1");
  expect_refused([&] { ops::index_copy(x, 0, ramp("i64[1,2]"), ramp("f32[2,3]")); }, ErrorFamily::Index,
                 "index_copy.C1");
  expect_refused([&] { ops::index_copy(x, 0, i, ramp("f64[2,3]")); }, ErrorFamily::Runtime, "index_copy.C2");
  expect_refused([&] { ops::index_copy(x, 0, i, ramp("f32[3,3]")); }, ErrorFamily::Index, "index_copy.C3");
  expect_refused([&] { ops::index_copy(x, 0, i, ramp("f32[2,2]")); }, ErrorFamily::Runtime, "index_copy.C4");
  expect_refused([&] { ops::index_copy_(x, 0, i64({4}, {0, 1, 2, 3}), x); }, ErrorFamily::Runtime, "index_copy_.C6");
}
TEST(IndexCopy, RefusesAnIndexOutOfRange) {
  const Tensor x = ramp("f32[4]");
  expect_refused([&] { ops::index_copy(x, 0, i64({1}, {-1}), ramp("f32[1]")); }, ErrorFamily::Index,
                 "index_copy.value");
}
OP_TEST(IndexFill, WritesANumberAndCountsFromTheEnd) {
  expect(ops::index_fill(ramp("f32[3,2]{1,3}"), 0, i64({2}, {0, -1}), 9))
      .meta("f32[3,2]{1,3}")
      .values({9, 9, 2, 3, 9, 9});
  expect(ops::index_fill(ramp("i64[3]"), 0, i64({1}, {1}), f32({}, {2.5}))).meta("i64[3]").values({0, 2, 2});
}
OP_TEST(IndexFill, WritesInPlace) {
  const Tensor x = ramp("f32[3]");
  ops::index_fill_(x, 0, i64({1}, {1}), 7);
  expect(x).values({0, 7, 2});
}
OP_TEST(IndexFill, Refuses) {
  const Tensor x = ramp("f32[4]"), i = i64({1}, {0});
  expect_refused([&] { ops::index_fill(x, 0, ramp("i32[1]"), 1); }, ErrorFamily::Index, "index_fill.C1");
  expect_refused([&] { ops::index_fill(ramp("u8[4]"), 0, i, 300); }, ErrorFamily::Runtime, "index_fill.C3");
  expect_refused([&] { ops::index_fill(x, 0, i, ramp("f32[1]")); }, ErrorFamily::Runtime, "index_fill.C4");
  expect_refused([&] { ops::index_fill(x, 0, i, std::complex<double>(1, 2)); }, ErrorFamily::Runtime, "index_fill.C5");
  expect_refused([&] { ops::index_fill(ramp("f32[0]"), 0, i, 1); }, ErrorFamily::Runtime, "index_fill.C7");
}
TEST(IndexFill, RefusesAnIndexInTheMemoryThatIsFilled) {
  const Tensor self = make("i64[3]", {0, 1, 2});
  expect_error([&] { call_op<"aten.index_fill_.int_Scalar">(self, int64_t(0), self, Scalar(1)); }, "index_fill_.C6");
}

}  // namespace
}  // namespace ersatz
