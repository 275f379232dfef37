#include "kernels/pointwise/div_mode.h"

#include <gtest/gtest.h>

#include "tests/ops/pointwise/reference.h"

namespace ersatz::div_mode_test {
namespace {

using pointwise_test::values_of;

TEST(DivMode, TruncRoundsTowardsZeroAndFloorDown) {
  Tensor a = tensor_of<int64_t>({7, -7, 7, -7}, {4}), b = tensor_of<int64_t>({2, 2, -2, -2}, {4});
  EXPECT_EQ(values_of(ops::div(a, b, "trunc")), (std::vector<double>{3, -3, -3, 3}));
  EXPECT_EQ(values_of(ops::div(a, b, "floor")), (std::vector<double>{3, -4, -4, 3}));
}

TEST(DivMode, FloatsAreRoundedToo) {
  Tensor a = tensor_of<float>({7.5, -7.5}, {2}), b = tensor_of<float>({2}, {});
  EXPECT_EQ(values_of(ops::div(a, b, "trunc")), (std::vector<double>{3, -3}));
  EXPECT_EQ(values_of(ops::div(a, b, "floor")), (std::vector<double>{3, -4}));
}

TEST(DivMode, TheSmallestIntegerDividedByMinusOneWraps) {
  Tensor a = tensor_of<int32_t>({INT32_MIN}, {1}), b = tensor_of<int32_t>({-1}, {1});
  EXPECT_EQ(ops::div(a, b, "floor").data<int32_t>()[0], INT32_MIN);
}

TEST(DivMode, AnIntegerZeroDivisorIsAValueFailure) {
  Tensor a = tensor_of<int64_t>({1, 2}, {2}), b = tensor_of<int64_t>({1, 0}, {2});
  try {
    ops::div(a, b, "floor");
    FAIL() << "div divided by zero";
  } catch (const Error& e) {
    EXPECT_TRUE(e.value_failure);
    EXPECT_EQ(e.message, "div: integers cannot be divided by zero [div.value]");
  }
}

TEST(DivMode, AnotherModeIsRefused) {
  Tensor a = tensor_of<float>({1}, {1});
  try {
    ops::div(a, a, "up");
    FAIL() << "div took rounding_mode=up";
  } catch (const Error& e) {
    EXPECT_EQ(e.message, "div: rounding_mode must be None, trunc or floor, it is up [div.C2]");
  }
}

}  // namespace
}  // namespace ersatz::div_mode_test
