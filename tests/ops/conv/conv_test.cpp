#include "kernels/conv/conv.h"

#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

const DimVec kOne = dims({1}), kZero = dims({0});

OP_TEST(Conv1d, TakesOneImageWithoutABatch) {
  expect(ops::conv1d(ramp("f32[1,4]"), f32({1, 1, 2}, {1, 10}), Tensor(), kOne, kZero, kOne, 1))
      .meta("f32[1,3]")
      .values({10, 21, 32});
}
OP_TEST(Conv2d, KeepsChannelsLast) {
  expect(ops::conv2d(ramp("f32[1,2,2,2]{8,1,4,2}"), f32({2, 2, 1, 1}, {1, 0, 0, 1}), Tensor(), kOne, kZero, kOne, 1))
      .meta("f32[1,2,2,2]{8,1,4,2}")
      .values({0, 1, 2, 3, 4, 5, 6, 7});
}
OP_TEST(Conv2d, HasNoOutputChannelsWithoutInputChannels) {
  expect(ops::conv2d(ramp("f32[1,0,4,4]"), ramp("f32[3,0,2,2]"), Tensor(), kOne, kZero, kOne, 1)).meta("f32[1,0,3,3]");
}
OP_TEST(ConvSame, PadsTheEndWhereThePaddingIsUneven) {
  expect(ops::conv1d(f32({1, 1, 3}, {1, 2, 3}), f32({1, 1, 2}, {1, 10}), Tensor(), kOne, "same", kOne, 1))
      .meta("f32[1,1,3]")
      .values({21, 32, 3});
  expect(ops::conv1d(f32({1, 1, 3}, {1, 2, 3}), f32({1, 1, 3}, {1, 1, 1}), Tensor(), kOne, "same", kOne, 1))
      .values({3, 6, 5});
}
OP_TEST(ConvSame, LeavesTheSizeAsItIsWithAnyDilation) {
  expect(ops::conv3d(ramp("f32[1,1,4,5,6]"), ramp("f32[2,1,2,3,2]"), Tensor(), kOne, "same", dims({3, 2, 1}), 1))
      .meta("f32[1,2,4,5,6]");
}
OP_TEST(ConvValid, PadsNothing) {
  expect(ops::conv2d(ramp("f32[1,1,3,3]"), f32({1, 1, 2, 2}, {0, 0, 0, 1}), Tensor(), kOne, "valid", kOne, 1))
      .meta("f32[1,1,2,2]")
      .values({4, 5, 7, 8});
}
OP_TEST(ConvComplex, MultipliesComplexNumbers) {
  // (1 + 2i) * (3 - i) + (1 + i)
  expect(ops::conv1d(make_complex("c64[1,1,1]", {{1, 2}}), make_complex("c64[1,1,1]", {{3, -1}}),
                     make_complex("c64[1]", {{1, 1}}), kOne, kZero, kOne, 1))
      .meta("c64[1,1,1]")
      .complex_values({{6, 6}});
}
OP_TEST(ConvTranspose2d, SpreadsEachElement) {
  expect(ops::conv_transpose2d(f32({1, 1, 1, 2}, {1, 2}), f32({1, 1, 1, 2}, {1, 10}), Tensor(), dims({1, 2}), kZero,
                               kZero, 1, kOne))
      .meta("f32[1,1,1,4]")
      .values({1, 10, 2, 20});
}
OP_TEST(ConvTranspose1d, AddsOutputPaddingAtTheEnd) {
  expect(ops::conv_transpose1d(f32({1, 1, 2}, {1, 2}), f32({1, 1, 1}, {1}), f32({1}, {0.5}), dims({2}), kZero,
                               dims({1}), 1, kOne))
      .meta("f32[1,1,4]")
      .values({1.5, 0.5, 2.5, 0.5});
}
OP_TEST(ConvTranspose3d, TakesOneImageWithoutABatch) {
  expect(ops::conv_transpose3d(ramp("f32[2,2,3,4]"), ramp("f32[2,3,2,2,2]"), Tensor(), kOne, kZero, kZero, 1, kOne))
      .meta("f32[3,3,4,5]");
}
TEST(ConvOnCpu, ConvertsTheBiasWherePyTorchsOwnLoopsRun) {
  expect(ops::conv_transpose1d(f32({1, 1, 2}, {1, 2}), f32({1, 1, 1}, {1}), i64({1}, {3}), kOne, kZero, kZero, 1, kOne))
      .values({4, 5});
}
OP_TEST(Conv, RefusesWhatDoesNotFit) {
  auto conv = [](const char* in, const char* weight, const Tensor& bias, std::string_view padding) {
    return [=] { ops::conv2d(ramp(in), ramp(weight), bias, kOne, padding, kOne, 1); };
  };
  expect_refused(conv("f32[4,4]", "f32[1,1,2,2]", Tensor(), "same"), ErrorFamily::Runtime, "conv2d.C1");
  expect_refused(conv("f32[1,4,4]", "f32[1,1,2,2]", Tensor(), "full"), ErrorFamily::Runtime, "conv2d.C2");
  expect_refused(conv("f32[1,1,4,4]", "f32[1,1,2]", Tensor(), "same"), ErrorFamily::Runtime, "conv2d.C1");
  Tensor image = ramp("f64[1,4,4]"), weight = ramp("f64[1,1,2,2]"), bias = ramp("f32[1]");
  expect_refused([&] { ops::conv2d(image, weight, bias, kOne, kZero, kOne, 1); }, ErrorFamily::Runtime, "conv2d.C5");
}

}  // namespace
}  // namespace ersatz
