#include "kernels/pooling/avg_pool2d.h"

#include "kernels/shape/as_strided.h"
#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

OP_TEST(AvgPool2d, AveragesEachWindow) {
  expect(ops::avg_pool2d(ramp("f32[1,4,4]"), dims({2}))).meta("f32[1,2,2]{4,2,1}+0@cpu").values({2.5, 4.5, 10.5, 12.5});
}

TEST(AvgPool2d, TakesAnyDTypeOnCudaWhereThereIsNothingToAverage) {
  const auto averaged = [](const char* meta) {
    return rule_answer("aten.avg_pool2d.default", {Value(shape_only(meta)), ints({2})});
  };
  EXPECT_EQ(averaged("i64[0,3,4,4]@cuda:0"), "i64[0,3,2,2]{12,4,2,1}+0@cuda:0");
  EXPECT_THROW(averaged("i64[1,3,4,4]@cuda:0"), Error);
}

OP_TEST(AvgPool2d, KeepsChannelsLast) {
  expect(ops::avg_pool2d(ramp("f32[1,2,2,2]{8,1,4,2}"), dims({1, 2})))
      .meta("f32[1,2,2,1]{4,1,2,2}+0@cpu")
      .values({0.5, 2.5, 4.5, 6.5});
}

TEST(AvgPool2dOnCpu, SumsOfIntegersWrapAround) {
  const int64_t half = int64_t{1} << 62;
  const Tensor y = ops::avg_pool2d(tensor_of<int64_t>({half, half}, {1, 1, 2}), dims({1, 2}));
  EXPECT_EQ(y.data<int64_t>()[0], -half);
}

TEST(AvgPool2dOnCpu, CountsPaddingAsZerosOrNotAtAll) {
  const Tensor t = tensor_of<float>({4}, {1, 1, 1});
  expect(ops::avg_pool2d(t, dims({2}), dims({1}), dims({1}))).values({1, 1, 1, 1});
  expect(ops::avg_pool2d(t, dims({2}), dims({1}), dims({1}), false, false)).values({4, 4, 4, 4});
  expect(ops::avg_pool2d(t, dims({2}), dims({1}), dims({1}), false, true, 2)).values({2, 2, 2, 2});
}

OP_TEST(AvgPool2d, RefusesWindowsThatDoNotFit) {
  auto refused = [](const char* in, DimVec kernel, DimVec stride, const char* label) {
    expect_refused([&] { ops::avg_pool2d(ramp(in), kernel, stride); }, ErrorFamily::Runtime, label);
  };
  refused("f32[1,4,4]", dims({2, 2, 2}), {}, "avg_pool2d.C1");
  refused("f32[1,4,4]", dims({2}), dims({0}), "avg_pool2d.C2");
  refused("f32[1,0,4,4]", dims({2}), {}, "avg_pool2d.C3");
  refused("f32[1,1,4]", dims({2}), {}, "avg_pool2d.C4");
  expect_refused([] { ops::avg_pool2d(ramp("f32[4,4]"), dims({2})); }, ErrorFamily::Index, "avg_pool2d.C3");
}

OP_TEST(AvgPool2dOut, MayBeWrittenOverItsInput) {
  Tensor base = f32({4}, {1, 2, 3, 4});
  const Tensor x = ops::as_strided(base, dims({1, 2, 2}), dims({4, 2, 1}), 0);
  Tensor out = ops::as_strided(base, dims({1, 1, 1}), dims({1, 1, 1}), 3);
  run("aten.avg_pool2d.out", {x, ints({2, 2})}, {{"out", out}});
  expect(base).values({1, 2, 3, 2.5});
}

OP_TEST(AvgPoolOut, MayBeElementsThatShareMemoryOfVolumesOnly) {
  Tensor volume = make("f32[1,1,1,2]{0,0,0,0}"), image = make("f32[1,1,2]{0,0,0}");
  run("aten.avg_pool3d.out", {f32({1, 1, 1, 2}, {1, 2}), ints({1, 1, 1})}, {{"out", volume}});
  expect(volume).values({2, 2});
  expect_refused(
      [&] {
        run("aten.avg_pool2d.out", {ramp("f32[1,1,2]"), ints({1, 1})}, {{"out", image}});
      },
      ErrorFamily::Runtime, "avg_pool2d.overlap");
}

}  // namespace
}  // namespace ersatz
