#include "kernels/shape/set.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(Set, TakesStorageAndGeometryOfSource) {
  Tensor x = ramp("f32[2]"), y = ramp("f32[2,3]{1,2}");
  expect(ops::set_(x, y)).is(x).meta("f32[2,3]{1,2}").view_of(y).values({0, 1, 2, 3, 4, 5});
}
OP_TEST(Set, KeepsItsOwnDtype) {
  Tensor x = ramp("f32[2]"), y = ramp("i64[3]");
  expect(ops::set_(x, y)).meta("f32[3]").view_of(y);
}
OP_TEST(Set, TakesAnyPartOfTheStorage) {
  Tensor x = ramp("f32[2]"), y = ramp("f32[8]");
  expect(ops::set_(x, y, 2, dims({2, 2}), dims({3, 1}))).meta("f32[2,2]{3,1}+2").view_of(y).values({2, 3, 5, 6});
}
OP_TEST(Set, GrowsTheStorageWhereThatNeedsMore) {
  Tensor x = ramp("f32[2]"), y = ramp("f32[2]");
  ops::set_(x, y, 1, dims({3}));
  EXPECT_EQ(y.storage()->nbytes().as_int(), 16);
}
OP_TEST(Set, WithoutSourceEmptiesTheTensorNotItsViews) {
  Tensor x = ramp("f32[2]");
  Ref<Storage> before = x.storage();
  expect(ops::set_(x)).is(x).meta("f32[0]");
  EXPECT_NE(x.storage(), before);
  EXPECT_EQ(before->nbytes().as_int(), 8);
}
OP_TEST(Set, RefusesSourcesWithGapsAndNegativeGeometry) {
  Tensor x = ramp("f32[2]"), gaps = ramp("f32[2,2]{1,2}"), y = ramp("f32[8]");
  expect_refused([&] { ops::set_(x, gaps, 0, dims({2})); }, ErrorFamily::Runtime, "set_.C2");
  expect_refused([&] { ops::set_(x, y, -2, dims({2})); }, ErrorFamily::Runtime, "set_.C3");
  expect_refused([&] { ops::set_(x, y, 0, dims({-2})); }, ErrorFamily::Runtime, "set_.C3");
  expect_refused([&] { ops::set_(x, y, 0, dims({2}), dims({1, 1})); }, ErrorFamily::Runtime, "set_.C3");
}
TEST(Set, RefusesAnotherDevice) {
  Tensor x = shape_only("f32[2]@cpu"), y = shape_only("f32[2]@cuda:0");
  expect_refused([&] { ops::set_(x, y); }, ErrorFamily::Runtime, "set_.C1");
}

OP_TEST(SetOfACopy, IsOnTheStorageOfTheSource) {
  const Tensor x = ramp("f32[2]"), source = ramp("f32[4,2]{1,4}");
  expect(run("aten.set.source_Tensor", {x, source})).meta("f32[4,2]{1,4}").view_of(source);
  expect(run("aten.set.default", {x})).meta("f32[0]").not_view_of(x);
  expect(x).meta("f32[2]").values({0, 1});
}
}  // namespace
}  // namespace ersatz
