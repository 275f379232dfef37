#include "kernels/pooling/pool3d.h"

#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

OP_TEST(AvgPool3d, AveragesEachVolume) {
  expect(ops::avg_pool3d(ramp("f32[1,2,2,2]"), dims({2}))).meta("f32[1,1,1,1]").values({3.5});
  expect(ops::avg_pool3d(ramp("f32[2,3,4,4,4]{192,1,48,12,3}"), dims({2}))).meta("f32[2,3,2,2,2]");
}
TEST(Pool3d, TakesAnyDTypeOnCudaWhereThereIsNoVolume) {
  for (const char* op : {"aten.avg_pool3d.default", "aten.max_pool3d_with_indices.default"}) {
    const auto pooled = [&](const char* meta) { return rule_answer(op, {Value(shape_only(meta)), ints({2})}); };
    EXPECT_EQ(pooled("i64[0,2,4,4,4]@cuda:0"), "i64[0,2,2,2,2]{16,8,4,2,1}+0@cuda:0");
    EXPECT_THROW(pooled("i64[1,2,4,4,4]@cuda:0"), Error);
  }
}
TEST(AvgPool3dOnCpu, CountsPaddingAsZerosOrNotAtAll) {
  const Tensor t = tensor_of<float>({8, 8, 8, 8, 8, 8, 8, 8}, {1, 2, 2, 2});
  expect(ops::avg_pool3d(t, dims({2}), dims({3}), dims({1}))).values({1});
  expect(ops::avg_pool3d(t, dims({2}), dims({3}), dims({1}), false, false)).values({8});
  expect(ops::avg_pool3d(t, dims({2}), dims({3}), dims({1}), false, true, 2)).values({4});
}
OP_TEST(MaxPool3d, AnswersTheLargestAndItsPlace) {
  auto [out, indices] = ops::max_pool3d_with_indices(ramp("i64[1,3,1,4]"), dims({2, 1, 2}), dims({1, 1, 2}));
  expect(out).meta("i64[1,2,1,2]").values({5, 7, 9, 11});
  expect(indices).meta("i64[1,2,1,2]").values({5, 7, 9, 11});
  expect(ops::max_pool3d(ramp("i64[1,3,1,4]"), dims({3, 1, 4}))).values({11});
}
OP_TEST(MaxPool3d, KeepsChannelsLastWithAndWithoutABatch) {
  expect(ops::max_pool3d(ramp("f32[2,3,4,4,4]{192,1,48,12,3}"), dims({2}))).meta("f32[2,3,2,2,2]{24,1,12,6,3}");
  expect(ops::max_pool3d(ramp("f32[3,4,4,4]{1,48,12,3}"), dims({2}))).meta("f32[3,2,2,2]{1,12,6,3}");
}
OP_TEST(MaxPool3dOut, LaysOutArgumentsOfTheRightSizesAnew) {
  Tensor out = ramp("f32[1,2,1,1,2]{4,1,4,4,2}"), indices = ramp("i64[1,2,1,1,2]{4,1,4,4,2}");
  call_op_all<"aten.max_pool3d_with_indices.out">(ramp("f32[1,2,1,1,2]"), dims({1}), DimVec(), dims({0}), dims({1}),
                                                  false, out, indices);
  expect(out).meta("f32[1,2,1,1,2]").values({0, 1, 2, 3});
  expect(indices).values({0, 1, 0, 1});
}
OP_TEST(Pool3d, RefusesWindowsThatDoNotFit) {
  expect_refused([] { ops::avg_pool3d(ramp("f32[1,1,1,1]"), dims({2}), dims({1}), dims({1})); }, ErrorFamily::Runtime,
                 "avg_pool3d.C4");
  expect_refused([] { ops::avg_pool3d(ramp("f32[1,2,2,2]"), dims({2, 2})); }, ErrorFamily::Runtime, "avg_pool3d.C1");
  expect_refused([] { ops::max_pool3d(ramp("f32[0,2,2,2]"), dims({2})); }, ErrorFamily::Runtime,
                 "max_pool3d_with_indices.C3");
  expect_refused([] { ops::max_pool3d(ramp("f32[1,2,2,2]"), dims({2}), {}, dims({2})); }, ErrorFamily::Runtime,
                 "max_pool3d_with_indices.C2");
}

// As on an H100, and as PyTorch 2.15's fakes have it.
TEST(MaxPool3d, AnOutKeepsItsStridesOnCuda) {
  const auto written = [](const std::string& device, const char* out) {
    const Value self(shape_only("f32[1,2,4,6,5]@" + device)), indices(shape_only("i64[1,2,2,3,2]@" + device));
    return rule_answer("aten.max_pool3d_with_indices.out", {self, ints({2})},
                       {{"out", Value(shape_only(out + ("@" + device)))}, {"indices", indices}});
  };
  EXPECT_EQ(written("cuda:0", "f32[1,2,2,3,2]{24,12,1,4,2}"), "f32[1,2,2,3,2]{24,12,1,4,2}+0@cuda:0");
  EXPECT_EQ(written("cuda:0", "f32[0]"), "f32[1,2,2,3,2]{24,12,6,2,1}+0@cuda:0");
  EXPECT_EQ(written("cpu", "f32[1,2,2,3,2]{24,12,1,4,2}"), "f32[1,2,2,3,2]{24,12,6,2,1}+0@cpu");
}
}  // namespace
}  // namespace ersatz
