#include "kernels/pointwise/ternary.h"

#include <gtest/gtest.h>

#include "tests/ops/pointwise/reference.h"

namespace ersatz::ternary_test {
namespace {

using pointwise_test::values_of;

TEST(Ternary, AddcmulAddsAScaledProduct) {
  Tensor a = tensor_of<float>({1, 2}, {2}), b = tensor_of<float>({3, 4}, {2}), c = tensor_of<float>({5}, {});
  EXPECT_EQ(values_of(ops::addcmul(a, b, c, 2)), (std::vector<double>{31, 42}));
}

TEST(Ternary, AddcmulTakesIntegers) {
  Tensor a = tensor_of<int64_t>({1, 2}, {2});
  EXPECT_EQ(values_of(ops::addcmul(a, a, a, 3)), (std::vector<double>{4, 14}));
}

TEST(Ternary, AddcdivAddsAScaledQuotient) {
  Tensor a = tensor_of<float>({1, 2}, {2}), b = tensor_of<float>({3, 4}, {2}), c = tensor_of<float>({2}, {});
  EXPECT_EQ(values_of(ops::addcdiv(a, b, c, 0.5)), (std::vector<double>{1.75, 3}));
}

TEST(Ternary, AddcdivDoesNotDivideIntegers) {
  Tensor a = tensor_of<int64_t>({1}, {1});
  try {
    ops::addcdiv(a, a, a);
    FAIL() << "addcdiv divided integers";
  } catch (const Error& e) {
    EXPECT_EQ(e.label, "addcdiv.C3");
  }
}

TEST(Ternary, LerpIsExactAtBothEnds) {
  Tensor a = tensor_of<float>({0.1f, 1e8f}, {2}), b = tensor_of<float>({0.7f, 1}, {2});
  EXPECT_EQ(values_of(ops::lerp(a, b, Scalar(0))), values_of(a));
  EXPECT_EQ(values_of(ops::lerp(a, b, Scalar(1))), values_of(b));
  EXPECT_EQ(values_of(ops::lerp(tensor_of<float>({2}, {1}), tensor_of<float>({4}, {1}), Scalar(0.25))),
            std::vector<double>{2.5});
}

TEST(Ternary, LerpTakesAWeightForEachElement) {
  Tensor a = tensor_of<float>({0, 0}, {2}), b = tensor_of<float>({8, 8}, {2}), w = tensor_of<float>({0.25, 0.75}, {2});
  EXPECT_EQ(values_of(ops::lerp(a, b, w)), (std::vector<double>{2, 6}));
}

TEST(Ternary, AddcmulRefusesAValueBeyondTheIntegers) {
  const Tensor i = tensor_of<int64_t>({1}, {1});
  for (const double value : {double(NAN), 1e30}) {
    try {
      ops::addcmul(i, i, i, Scalar(value));
      FAIL() << value << " was taken";
    } catch (const Error& e) {
      EXPECT_EQ(e.label, "addcmul.C2");
    }
  }
  EXPECT_EQ(values_of(ops::addcmul(i, i, i, Scalar(2.5))), (std::vector<double>{3}));
}

TEST(Ternary, LerpDoesNotPromote) {
  try {
    ops::lerp(tensor_of<float>({1}, {1}), tensor_of<double>({1}, {1}), Scalar(0.5));
    FAIL() << "lerp promoted";
  } catch (const Error& e) {
    EXPECT_EQ(e.label, "lerp.C2");
  }
}

}  // namespace
}  // namespace ersatz::ternary_test
