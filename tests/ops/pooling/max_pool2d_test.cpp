#include "kernels/pooling/max_pool2d.h"
#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

OP_TEST(MaxPool2d, TakesTheLargestOfEachWindow) {
  auto [out, indices] = ops::max_pool2d_with_indices(ramp("f32[1,1,4,4]"), dims({2, 2}));
  expect(out).meta("f32[1,1,2,2]{4,4,2,1}+0@cpu").values({5, 7, 13, 15});
  expect(indices).meta("i64[1,1,2,2]{4,4,2,1}+0@cpu").values({5, 7, 13, 15});
}

TEST(MaxPool2d, TakesAnyDTypeOnCudaWhereThereIsNoWindow) {
  const auto largest = [](const char* meta) {
    return rule_answer("aten.max_pool2d_with_indices.default", {Value(shape_only(meta)), ints({2})});
  };
  EXPECT_EQ(largest("i64[0,3,4,4]@cuda:0"), "i64[0,3,2,2]{12,4,2,1}+0@cuda:0");
  EXPECT_THROW(largest("i64[1,3,4,4]@cuda:0"), Error);
}

OP_TEST(MaxPool2d, KeepsChannelsLast) {
  // Channel 0 holds 0..3, channel 1 holds 4..7, whatever the strides.
  auto [out, indices] = ops::max_pool2d_with_indices(ramp("f32[1,2,2,2]{8,1,4,2}"), dims({1, 2}));
  expect(out).meta("f32[1,2,2,1]{4,1,2,2}+0@cpu").values({1, 3, 5, 7});
  expect(indices).meta("i64[1,2,2,1]{4,1,2,2}+0@cpu").values({1, 3, 1, 3});
}

TEST(MaxPool2dOnCpu, PadsWithNothing) {
  const Tensor in = tensor_of<float>({-5, -6, -7, -8}, {1, 2, 2});
  auto [out, indices] = ops::max_pool2d_with_indices(in, dims({2}), dims({2}), dims({1}));
  expect(out).meta("f32[1,2,2]{4,2,1}+0@cpu").values({-5, -6, -7, -8});
}

OP_TEST(MaxPool2d, StepsByTheDilation) {
  auto [out, indices] = ops::max_pool2d_with_indices(ramp("i64[1,3,3]"), dims({2}), dims({1}), dims({0}), dims({2}));
  expect(out).meta("i64[1,1,1]{1,1,1}+0@cpu").values({8});
}

OP_TEST(MaxPool2d, RoundsUpInCeilMode) {
  auto [out, indices] = ops::max_pool2d_with_indices(ramp("f32[1,3,3]"), dims({2}), dims({2}), {}, {}, true);
  expect(out).meta("f32[1,2,2]{4,2,1}+0@cpu").values({4, 5, 7, 8});
}

TEST(MaxPool2dOnCpu, FindsNaN) {
  const Tensor in = tensor_of<float>({1, NAN, 3, 4}, {1, 2, 2});
  auto [out, indices] = ops::max_pool2d_with_indices(in, dims({2}));
  EXPECT_TRUE(std::isnan(values_of(out)[0]));
  expect(indices).values({1});
}

TEST(MaxPool2dOnCpu, RefusesWindowsThatDoNotFit) {
  const std::string op = "max_pool2d_with_indices";
  auto pool = [](const char* in, DimVec kernel, DimVec stride, DimVec padding) {
    ops::max_pool2d_with_indices(ramp(in), kernel, stride, padding);
  };
  expect_refused([&] { pool("f32[1,4,4]", dims({2, 2, 2}), {}, {}); }, ErrorFamily::Runtime, op + ".C1");
  expect_refused([&] { pool("f32[1,4,4]", dims({2}), dims({0}), {}); }, ErrorFamily::Runtime, op + ".C2");
  expect_refused([&] { pool("f32[1,4,4]", dims({2}), dims({2}), dims({2})); }, ErrorFamily::Runtime, op + ".C2");
  expect_refused([&] { pool("f32[4,4]", dims({2}), {}, {}); }, ErrorFamily::Runtime, op + ".C3");
  expect_refused([&] { pool("f32[1,1,4]", dims({2}), {}, {}); }, ErrorFamily::Runtime, op + ".C4");
}

}  // namespace
}  // namespace ersatz
