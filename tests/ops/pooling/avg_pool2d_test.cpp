#include "kernels/pooling/avg_pool2d.h"

#include "kernels/shape/as_strided.h"
#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

TEST(AvgPool2d, EmptyInputMayHaveAnyDTypeOnCuda) {
  const auto averaged = [](const char* meta) {
    return rule_answer("aten.avg_pool2d.default", {Value(shape_only(meta)), ints({2})});
  };
  EXPECT_EQ(averaged("i64[0,3,4,4]@cuda:0"), "i64[0,3,2,2]{12,4,2,1}+0@cuda:0");
  EXPECT_THROW(averaged("i64[1,3,4,4]@cuda:0"), Error);
}

TEST(AvgPool2dOnCpu, SumsOfIntegersWrapAround) {
  const int64_t half = int64_t{1} << 62;
  const Tensor y = ops::avg_pool2d(tensor_of<int64_t>({half, half}, {1, 1, 2}), dims({1, 2}));
  EXPECT_EQ(y.data<int64_t>()[0], -half);
}

OP_TEST(AvgPool2dOut, MayBeWrittenOverItsInput) {
  Tensor base = f32({4}, {1, 2, 3, 4});
  const Tensor x = ops::as_strided(base, dims({1, 2, 2}), dims({4, 2, 1}), 0);
  Tensor out = ops::as_strided(base, dims({1, 1, 1}), dims({1, 1, 1}), 3);
  run("aten.avg_pool2d.out", {x, ints({2, 2})}, {{"out", out}});
  expect(base).values({1, 2, 3, 2.5});
}

}  // namespace
}  // namespace ersatz
