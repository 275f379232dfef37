#include "kernels/shape/view_scatter.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(ViewScatter, SliceIsReplacedInACopy) {
  Tensor x = ramp("f32[4,2]"), src = make("f64[2,2]", {-1, -2, -3, -4});
  expect(ops::slice_scatter(x, src, 0, 1, 4, 2)).meta("f32[4,2]").not_view_of(x).values({0, 1, -1, -2, 4, 5, -3, -4});
}
OP_TEST(ViewScatter, SelectedPartIsReplaced) {
  expect(ops::select_scatter(ramp("f32[2,3]"), make("f32[2]", {7, 8}), 1, -1)).values({0, 1, 7, 3, 4, 8});
}
OP_TEST(ViewScatter, DiagonalIsReplaced) {
  expect(ops::diagonal_scatter(ramp("f32[2,3]"), make("f32[2]", {7, 8}), 1)).values({0, 7, 2, 3, 4, 8});
}
OP_TEST(ViewScatter, CopyTakesSrcAndKeepsTheLookOfSelf) {
  expect(ops::copy(ramp("f32[2,3]{1,2}"), make("i64[3]", {5, 6, 7}))).meta("f32[2,3]{1,2}").values({5, 6, 7, 5, 6, 7});
}
OP_TEST(ViewScatter, GapsAndTheOffsetOfSelfAreKept) {
  expect(ops::select_scatter(ramp("f32[2,2]{5,1}+3"), make("f32[2]", {7, 8}), 0, 0))
      .meta("f32[2,2]{5,1}+3")
      .values({7, 8, 2, 3});
}
OP_TEST(ViewScatter, SharedElementsOfSelfAreNot) {
  expect(ops::select_scatter(make("f32[2,2]{0,1}", {1, 2, 1, 2}), make("f32[2]", {7, 8}), 0, 0))
      .meta("f32[2,2]")
      .values({7, 8, 1, 2});
}
OP_TEST(ViewScatter, OutMayBeSelf) {
  Tensor x = ramp("f32[3]");
  Tensor src = make("f32[2]", {7, 8});
  expect(run("aten.slice_scatter.out", {x, src, 0, 0, 2, 1}, {{"out", x}})).is(x).values({7, 8, 2});
}
OP_TEST(ViewScatter, RefusesOtherSizes) {
  Tensor x = ramp("f32[3]"), two = ramp("f32[2]"), one = ramp("f32[1]"), m = ramp("f32[2,2]"), none = ramp("f32[]");
  expect_refused([&] { ops::slice_scatter(x, one, 0, 0, 2); }, ErrorFamily::Runtime, "slice_scatter.C4");
  expect_refused([&] { ops::select_scatter(x, two, 0, 0); }, ErrorFamily::Runtime, "select_scatter.C4");
  expect_refused([&] { ops::diagonal_scatter(m, one); }, ErrorFamily::Runtime, "diagonal_scatter.C4");
  expect_refused([&] { ops::copy(x, two); }, ErrorFamily::Runtime, "copy.C4");
  expect_refused([&] { ops::slice_scatter(none, none); }, ErrorFamily::Index, "slice_scatter.C1");
  expect_refused([&] { ops::slice_scatter(x, two, 0, 0, 2, 0); }, ErrorFamily::Runtime, "slice_scatter.C2");
  expect_refused([&] { ops::select_scatter(none, none, 0, 0); }, ErrorFamily::Index, "select_scatter.C1");
  expect_refused([&] { ops::select_scatter(x, none, 0, 3); }, ErrorFamily::Index, "select_scatter.C2");
  expect_refused([&] { ops::diagonal_scatter(m, two, 0, 1, 1); }, ErrorFamily::Runtime, "diagonal_scatter.C1");
}

OP_TEST(AsStridedScatter, ReplacesAnyView) {
  expect(ops::as_strided_scatter(ramp("f32[2,3]"), f32({2}, {8, 9}), dims({2}), dims({3}), 1))
      .meta("f32[2,3]")
      .values({0, 8, 2, 3, 9, 5});
}

}  // namespace
}  // namespace ersatz
