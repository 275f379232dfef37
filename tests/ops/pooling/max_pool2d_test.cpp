#include "kernels/pooling/max_pool2d.h"
#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

TEST(MaxPool2d, EmptyInputMayHaveAnyDTypeOnCuda) {
  const auto largest = [](const char* meta) {
    return rule_answer("aten.max_pool2d_with_indices.default", {Value(shape_only(meta)), ints({2})});
  };
  EXPECT_EQ(largest("i64[0,3,4,4]@cuda:0"), "i64[0,3,2,2]{12,4,2,1}+0@cuda:0");
  EXPECT_THROW(largest("i64[1,3,4,4]@cuda:0"), Error);
}

TEST(MaxPool2dOnCpu, FindsNaN) {
  const Tensor in = tensor_of<float>({1, NAN, 3, 4}, {1, 2, 2});
  auto [out, indices] = ops::max_pool2d_with_indices(in, dims({2}));
  EXPECT_TRUE(std::isnan(values_of(out)[0]));
  expect(indices).values({1});
}

}  // namespace
}  // namespace ersatz
