#include "kernels/resize/upsample.h"

#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

OP_TEST(UpsampleNearest, RepeatsElements) {
  expect(ops::upsample_nearest(ramp("f32[1,1,2,2]"), dims({2, 4})))
      .meta("f32[1,1,2,4]")
      .values({0, 0, 1, 1, 2, 2, 3, 3});
}
OP_TEST(UpsampleNearest, TakesTheElementAtTheStartOrInTheMiddle) {
  expect(ops::upsample_nearest(ramp("f32[1,1,5]"), dims({2}))).values({0, 2});
  expect(ops::upsample_nearest(ramp("f32[1,1,5]"), dims({2}), "nearest-exact")).values({1, 3});
}
OP_TEST(UpsampleLinear, WeighsTheNeighbours) {
  expect(ops::upsample_linear(f32({1, 1, 2}, {0, 4}), dims({4}))).meta("f32[1,1,4]").values({0, 1, 3, 4});
  expect(ops::upsample_linear(f32({1, 1, 2}, {0, 6}), dims({4}), true)).values({0, 2, 4, 6});
  expect(ops::upsample_linear(f32({1, 1, 1, 1, 2}, {0, 4}), dims({2, 1, 4}))).values({0, 1, 3, 4, 0, 1, 3, 4});
}
OP_TEST(UpsampleLinear, RoundsBytes) {
  expect(ops::upsample_linear(make("u8[1,1,1,2]", {0, 3}), dims({1, 4}))).meta("u8[1,1,1,4]").values({0, 1, 2, 3});
}
OP_TEST(UpsampleBicubic2d, OvershootsAtAStep) {
  expect(ops::upsample_bicubic2d(f32({1, 1, 1, 2}, {0, 1}), dims({1, 4})))
      .meta("f32[1,1,1,4]")
      .values({-0.10546875, 0.2265625, 0.7734375, 1.10546875});
}
OP_TEST(UpsampleAntialiased, AveragesWhatIsMadeSmaller) {
  expect(run("aten._upsample_bilinear2d_aa.default", {f32({1, 1, 1, 4}, {0, 0, 7, 7}), ints({1, 2}), false}))
      .meta("f32[1,1,1,2]")
      .values({1, 6});
}
// PyTorch 2.15: the last element's only tap lies where the cubic kernel is 0.
OP_TEST(UpsampleAntialiased, IsZeroWhereNoElementHasWeight) {
  expect(run("aten._upsample_bicubic2d_aa.default", {f32({1, 1, 1, 2}, {0, 3}), ints({1, 3}), false, Value(), 1.0}))
      .meta("f32[1,1,1,3]")
      .values({0, 3, 0});
}
OP_TEST(Upsample, KeepsChannelsLast) {
  expect(ops::upsample_nearest(ramp("f32[1,2,1,2]{4,1,4,2}"), dims({1, 3})))
      .meta("f32[1,2,1,3]{6,1,6,2}")
      .values({0, 0, 1, 2, 2, 3});
  expect(ops::upsample_linear(ramp("f32[2,3,4]{12,1,3}"), dims({5}))).meta("f32[2,3,5]");
}
OP_TEST(UpsampleVec, TakesASizeOrFactors) {
  const double factor[] = {1.6, 1};
  const Value factors = Value::list(std::vector<Value>{Value(factor[0]), Value(factor[1])});
  expect(run("aten.upsample_nearest2d.vec", {ramp("f32[1,1,4,2]"), Value(), factors})).meta("f32[1,1,6,2]");
  expect(run("aten.upsample_bilinear2d.vec", {ramp("f32[1,1,4,2]"), ints({5, 5}), false, Value()}))
      .meta("f32[1,1,5,5]");
}
OP_TEST(UpsampleVecOut, MakesAnArgumentOfOtherSizesRowMajor) {
  Tensor out = f32({0});
  run("aten.upsample_nearest2d.vec_out", {ramp("f32[1,2,2,2]{8,1,4,2}"), ints({1, 1}), Value()}, {{"out", out}});
  expect(out).meta("f32[1,2,1,1]").values({0, 4});
}
OP_TEST(Upsample, RefusesWhatDoesNotFit) {
  auto nearest = [](const char* in, DimVec size) { return [=] { ops::upsample_nearest(ramp(in), size); }; };
  expect_refused(nearest("f32[1,2,3]", dims({4, 4})), ErrorFamily::Runtime, "upsample_nearest2d.C1");
  expect_refused(nearest("f32[1,1,0]", dims({4})), ErrorFamily::Runtime, "upsample_nearest1d.C2");
  expect_refused(nearest("f32[1,0,3]", dims({4})), ErrorFamily::Runtime, "upsample_nearest1d.C3");
}
TEST(Upsample, KeepsChannelsLastOnCudaHoweverFewChannelsThereAre) {
  EXPECT_EQ(rule_answer("aten.upsample_bilinear2d.default",
                        {Value(shape_only("f32[2,3,4,5]{60,1,15,3}@cuda:0")), ints({2, 2}), Value(false)}),
            "f32[2,3,2,2]{12,1,6,3}+0@cuda:0");
  EXPECT_EQ(rule_answer("aten.upsample_trilinear3d.default",
                        {Value(shape_only("f32[1,2,2,2,2]{16,1,8,4,2}@cuda:0")), ints({1, 1, 3}), Value(false)}),
            "f32[1,2,1,1,3]{6,1,6,6,2}+0@cuda:0");
  EXPECT_EQ(
      rule_answer("aten.upsample_nearest2d.out", {Value(shape_only("f32[2,3,4,5]{60,1,15,3}@cuda:0")), ints({2, 2})},
                  {{"out", Value(shape_only("f32[0]@cuda:0"))}}),
      "f32[2,3,2,2]{12,1,6,3}+0@cuda:0");
}
// PyTorch 2.15.
OP_TEST(UpsampleLanczos, WeighsThreeLobesOnEachSide) {
  const Tensor x = f32({1, 1, 1, 5}, {0, 1, 4, 9, 16});
  expect(run("aten._upsample_lanczos2d_aa.default", {x, ints({1, 3}), false}))
      .meta("f32[1,1,1,3]")
      .values({0.10328793525695801, 3.999999523162842, 13.530498504638672}, 1e-5);
  expect(run("aten._upsample_lanczos2d_aa.default", {x, ints({2, 3}), true}))
      .values({-0.1674218773841858, 7.388820648193359, 16.242170333862305, -0.1674218773841858, 7.388820648193359,
               16.242170333862305},
              1e-5);
}

}  // namespace
}  // namespace ersatz
