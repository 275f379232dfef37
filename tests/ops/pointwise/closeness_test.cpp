// Tests equal, isclose, allclose, is_nonzero.
#include "kernels/pointwise/closeness.h"

#include <limits>

#include "tests/ops/op_test.h"

namespace ersatz {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

TEST(Equal, ComparesElementsAfterPromotionAndSizesFirst) {
  const Tensor a = tensor_of<float>({1, 2}, {2});
  EXPECT_TRUE(ops::equal(a, tensor_of<int64_t>({1, 2}, {2})));
  EXPECT_FALSE(ops::equal(a, tensor_of<float>({1, 3}, {2})));
  EXPECT_FALSE(ops::equal(a, tensor_of<float>({1}, {1})));
}

TEST(Equal, NanEqualsNothing) {
  const Tensor a = tensor_of<float>({kNan}, {1});
  EXPECT_FALSE(ops::equal(a, a));
}

TEST(IsClose, ToleratesPartOfOtherAndInfinityOnlyItself) {
  const Tensor a = tensor_of<float>({1, 10, kInf, kInf, kNan}, {5}),
               b = tensor_of<float>({1.2f, 10.6f, kInf, 1, kNan}, {5});
  const Tensor close = ops::isclose(a, b, 0.1, 0.0), nan = ops::isclose(a, b, 0.1, 0.0, true);
  EXPECT_EQ(to_string(close.meta()), "bool[5]{1}+0@cpu");
  const bool expected[] = {false, true, true, false, false};
  for (int i = 0; i < 5; ++i) EXPECT_EQ(close.data<bool>()[i], expected[i]) << i;
  EXPECT_TRUE(nan.data<bool>()[4]);
}

TEST(IsClose, ComparesIntegersWithoutWrapping) {
  const Tensor a = tensor_of<uint8_t>({250}, {1}), b = tensor_of<uint8_t>({255}, {1});
  EXPECT_TRUE(ops::isclose(a, b, 0, 5).data<bool>()[0]);
  EXPECT_FALSE(ops::isclose(a, b, 0, 4).data<bool>()[0]);
}

TEST(AllClose, AsksOfAllElements) {
  const Tensor a = tensor_of<float>({1, 2}, {2});
  EXPECT_TRUE(ops::allclose(a, tensor_of<float>({1, 2.00001f}, {2})));
  EXPECT_FALSE(ops::allclose(a, tensor_of<float>({1, 2.1f}, {2})));
}

TEST(IsNonzero, ReadsTheOnlyElement) {
  EXPECT_TRUE(ops::is_nonzero(tensor_of<float>({0.5f}, {1, 1})));
  EXPECT_FALSE(ops::is_nonzero(tensor_of<int64_t>({0}, {})));
}

}  // namespace
}  // namespace ersatz
