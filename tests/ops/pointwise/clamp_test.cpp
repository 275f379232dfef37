#include "kernels/pointwise/clamp.h"

#include <gtest/gtest.h>

#include "tests/ops/pointwise/reference.h"

namespace ersatz::clamp_test {
namespace {

using pointwise_test::values_of;

TEST(Clamp, KeepsElementsBetweenNumbers) {
  Tensor x = tensor_of<float>({-3, -0.5, 0.5, 3}, {4});
  EXPECT_EQ(values_of(ops::clamp(x, Scalar(-1), Scalar(2))), (std::vector<double>{-1, -0.5, 0.5, 2}));
  EXPECT_EQ(values_of(ops::clamp(x, Scalar(0))), (std::vector<double>{0, 0, 0.5, 3}));
  EXPECT_EQ(values_of(ops::clamp(x, std::nullopt, Scalar(0))), (std::vector<double>{-3, -0.5, 0, 0}));
}

TEST(Clamp, TensorsAsLimitsBroadcast) {
  Tensor x = tensor_of<float>({-3, 3, 0.5, 9}, {2, 2}), low = tensor_of<float>({-1, 4}, {2});
  EXPECT_EQ(values_of(ops::clamp(x, low, tensor_of<float>({5}, {}))), (std::vector<double>{-1, 4, 0.5, 5}));
  EXPECT_EQ(values_of(ops::clamp(x, Tensor(), low)), (std::vector<double>{-3, 3, -1, 4}));
}

TEST(Clamp, WhereLimitsCrossTheUpperOneWins) {
  EXPECT_EQ(values_of(ops::clamp(tensor_of<float>({0}, {1}), Scalar(5), Scalar(2))), std::vector<double>{2});
}

TEST(Clamp, NanInInputOrLimitGivesNan) {
  EXPECT_TRUE(std::isnan(values_of(ops::clamp(tensor_of<float>({NAN}, {1}), Scalar(0), Scalar(1)))[0]));
  EXPECT_TRUE(std::isnan(values_of(ops::clamp(tensor_of<float>({3}, {1}), Scalar(0), Scalar(NAN)))[0]));
}

TEST(Clamp, AFloatLimitWidensAnIntegerTensor) {
  Tensor y = ops::clamp(tensor_of<int64_t>({-3, 3}, {2}), Scalar(-0.5), Scalar(1));
  EXPECT_EQ(y.dtype(), DType::F32);
  EXPECT_EQ(values_of(y), (std::vector<double>{-0.5, 1}));
}

TEST(Clamp, NeedsALimit) {
  try {
    ops::clamp(tensor_of<float>({1}, {1}), std::nullopt);
    FAIL() << "clamp took no limit";
  } catch (const Error& e) {
    EXPECT_EQ(e.message, "clamp: at least one of min and max must be given [clamp.C2]");
  }
}

TEST(Clamp, MinAndMaxAreItsHalves) {
  Tensor x = tensor_of<int32_t>({-3, 3}, {2});
  EXPECT_EQ(values_of(ops::clamp_min(x, 0)), (std::vector<double>{0, 3}));
  EXPECT_EQ(values_of(ops::clamp_max(x, 0)), (std::vector<double>{-3, 0}));
}

}  // namespace
}  // namespace ersatz::clamp_test
