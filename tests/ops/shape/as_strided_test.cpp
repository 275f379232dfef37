#include "kernels/shape/as_strided.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(AsStrided, ReadsTheStorageInAnyOrder) {
  Tensor x = ramp("f32[6]");
  expect(ops::as_strided(x, dims({2, 2}), dims({1, 2}), 1)).meta("f32[2,2]{1,2}+1@cpu").view_of(x).values({1, 3, 2, 4});
}
OP_TEST(AsStrided, KeepsTheOffsetUnlessOneIsGiven) {
  Tensor x = make_view(ramp("f32[6]"), parse_meta("f32[2]{1}+3"));
  expect(ops::as_strided(x, dims({3}), dims({1}))).meta("f32[3]{1}+3@cpu");
  expect(ops::as_strided(x, dims({3}), dims({1}), 0)).meta("f32[3]{1}+0@cpu");
}
OP_TEST(AsStrided, RefusesListsOfTwoLengths) {
  Tensor x = ramp("f32[6]");
  expect_refused([&] { ops::as_strided(x, dims({2}), dims({1, 1})); }, ErrorFamily::Runtime, "as_strided.C1");
}
OP_TEST(AsStrided, RefusesNegativeStridesAndOffsets) {
  Tensor x = ramp("f32[6]");
  expect_refused([&] { ops::as_strided(x, dims({2}), dims({-1})); }, ErrorFamily::Runtime, "as_strided.C2");
  expect_refused([&] { ops::as_strided(x, dims({2}), dims({1}), -1); }, ErrorFamily::Runtime, "as_strided.C2");
}
OP_TEST(AsStrided, RefusesToLeaveTheStorage) {
  Tensor x = ramp("f32[6]");
  expect_refused([&] { ops::as_strided(x, dims({7}), dims({1})); }, ErrorFamily::Runtime, "as_strided.C3");
  expect(ops::as_strided(x, dims({0}), dims({1}), 77)).meta("f32[0]{1}+77@cpu");
}
OP_TEST(AsStrided, InPlaceChangesTheTensorItself) {
  Tensor x = ramp("f32[6]");
  expect(ops::as_strided_(x, dims({2}), dims({3}))).is(x).meta("f32[2]{3}+0@cpu").values({0, 3});
}
OP_TEST(SliceInverse, HasTheGeometryOfWhatWasSliced) {
  const Tensor whole = ramp("f32[6]"), part = make_view(whole, parse_meta("f32[2]{1}+3"));
  expect(run("aten.slice_inverse.default", {part, whole, 0, 3, 5}))
      .meta("f32[6]")
      .view_of(whole)
      .values({0, 1, 2, 3, 4, 5});
}
OP_TEST(SliceInverse, StaysWithinTheStorage) {
  expect_refused(
      [] {
        run("aten.slice_inverse.default", {ramp("f32[2]"), ramp("f32[4]")});
      },
      ErrorFamily::Runtime, "slice_inverse.C3");
}

}  // namespace
}  // namespace ersatz
