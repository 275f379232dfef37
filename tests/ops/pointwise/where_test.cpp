#include "kernels/pointwise/where.h"

#include <gtest/gtest.h>

#include "runtime/tensor/meta_text.h"
#include "tests/ops/pointwise/reference.h"

namespace ersatz::where_test {
namespace {

using pointwise_test::values_of;

TEST(Where, TakesElementsAsTheConditionSays) {
  Tensor c = tensor_of<bool>({true, false, true}, {3});
  EXPECT_EQ(values_of(ops::where(c, tensor_of<float>({1, 2, 3}, {3}), tensor_of<float>({-1}, {}))),
            (std::vector<double>{1, -1, 3}));
}

TEST(Where, OperandsArePromotedAndBigIntegersStayExact) {
  Tensor c = tensor_of<bool>({true, false}, {2});
  const int64_t big = (int64_t(1) << 53) + 1;
  Tensor y = ops::where(c, tensor_of<int64_t>({big, big}, {2}), tensor_of<int32_t>({5, 6}, {2}));
  EXPECT_EQ(y.dtype(), DType::I64);
  EXPECT_EQ(y.data<int64_t>()[0], big);
  EXPECT_EQ(y.data<int64_t>()[1], 6);
}

TEST(Where, TheLayoutFollowsTheConditionFirst) {
  TensorMeta transposed(DType::Bool, std::vector<SymInt>{2, 3}, std::vector<SymInt>{1, 2});
  Tensor c = make_real_tensor(transposed), x = make_real_tensor(TensorMeta(DType::F32, std::vector<SymInt>{2, 3}));
  std::fill_n(c.data<bool>(), 6, true);
  std::fill_n(x.data<float>(), 6, 1.f);
  EXPECT_EQ(to_string(ops::where(c, x, x).meta()), "f32[2,3]{1,2}+0@cpu");
}

TEST(Where, TheConditionMustBeBool) {
  Tensor x = tensor_of<float>({1}, {1});
  try {
    ops::where(x, x, x);
    FAIL() << "where took a float condition";
  } catch (const Error& e) {
    EXPECT_EQ(e.message, "where: the condition must be bool, it is f32[1]@cpu [where.C2]");
  }
}

}  // namespace
}  // namespace ersatz::where_test
