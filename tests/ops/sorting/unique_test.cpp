#include "kernels/sorting/unique.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

// BEY-34
TEST(Unique, AnswersValuesInverseAndCounts) {
  const ops::UniqueResult r = ops::unique(i64({2, 3}, {3, 1, 3, 2, 1, 3}), true, true);
  expect(r.values).meta("i64[3]").values({1, 2, 3});
  expect(r.inverse).meta("i64[2,3]").values({2, 0, 2, 1, 0, 2});
  expect(r.counts).meta("i64[3]").values({2, 1, 3});
}
// BEY-34
TEST(Unique, WhatIsNotAskedForIsEmptyAndI64) {
  const ops::UniqueResult r = ops::unique(make("f16[3]", {2, 1, 2}));
  expect(r.values).meta("f16[2]").values({1, 2});
  expect(r.inverse).meta("i64[0]");
  expect(r.counts).meta("i64[0]");
}
TEST(Unique, NanDiffersFromNan) {
  expect(ops::unique(f32({4}, {NAN, 1, NAN, 1})).values).meta("f32[3]").values({1, NAN, NAN});
}
TEST(Unique, OfNothingIsNothing) {
  const ops::UniqueResult r = ops::unique(f32({2, 0}), true, true);
  expect(r.values).meta("f32[0]");
  expect(r.inverse).meta("i64[2,0]");
}
TEST(UniqueDim, FindsDifferentSlices) {
  const ops::UniqueResult r = ops::unique_dim(make("f32[2,3]", {5, 1, 5, 6, 2, 6}), 1);
  expect(r.values).meta("f32[2,2]{1,2}").values({1, 5, 2, 6});
  expect(r.inverse).meta("i64[3]").values({1, 0, 1});
  expect(r.counts).meta("i64[2]").values({1, 2});
}
TEST(UniqueDim, SortsSlicesByTheFirstElementThatDiffers) {
  const ops::UniqueResult r = ops::unique_dim(i64({4, 2}, {1, 5, 1, 2, 0, 9, 1, 5}), 0);
  expect(r.values).meta("i64[3,2]").values({0, 9, 1, 2, 1, 5});
  expect(r.inverse).meta("i64[4]").values({2, 1, 0, 2});
  expect(r.counts).meta("i64[3]").values({1, 1, 2});
}
OP_TEST(UniqueDim, RefusesWhatHasNoSlices) {
  Tensor none = f32({}), empty = f32({2, 0});
  expect_refused([&] { ops::unique_dim(none, 0); }, ErrorFamily::Index, "unique_dim.C1");
  expect_refused([&] { ops::unique_dim(empty, 0); }, ErrorFamily::Runtime, "unique_dim.C2");
}

TEST(UniqueConsecutive, TakesOneOfEachRun) {
  const ops::UniqueResult r = ops::unique_consecutive(i64({5}, {1, 1, 2, 1, 1}), true, true);
  expect(r.values).meta("i64[3]").values({1, 2, 1});
  expect(r.inverse).meta("i64[5]").values({0, 0, 1, 2, 2});
  expect(r.counts).meta("i64[3]").values({2, 1, 2});
}
TEST(UniqueConsecutive, OfSlicesAnswersInverseAndCountsAlways) {
  const ops::UniqueResult r = ops::unique_consecutive(make("f32[2,3]", {1, 1, 2, 3, 3, 4}), false, false, 1);
  expect(r.values).meta("f32[2,2]{1,2}").values({1, 2, 3, 4});
  expect(r.inverse).meta("i64[3]").values({0, 0, 1});
  expect(r.counts).meta("i64[2]").values({2, 1});
}
TEST(UniqueOut, ResizesWhatItWrites) {
  const Tensor values = f32({0}), inverse = i64({0}, {}), counts = i64({0}, {});
  call_op_all<"aten._unique2.out">(f32({3}, {2, 1, 2}), true, false, true, values, inverse, counts);
  expect(values).meta("f32[2]").values({1, 2});
  expect(counts).meta("i64[2]").values({1, 2});
}

}  // namespace
}  // namespace ersatz
