#include "kernels/reduction/mean.h"

#include <cmath>

#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

OP_TEST(Mean, AveragesOverDims) {
  expect(ops::mean(ramp("f32[1,2,2,2]{8,1,4,2}"), dims({-1, -2}), true))
      .meta("f32[1,2,1,1]{2,1,1,1}+0@cpu")
      .values({1.5, 5.5});
}

TEST(MeanOnCpu, OfNothingIsNaN) { EXPECT_TRUE(std::isnan(values_of(ops::mean(ramp("f32[0]")))[0])); }

TEST(MeanOnCpu, DoesNotOverflowInHalf) {
  // The sum, 120000, is beyond f16.
  const Tensor t = tensor_of<float>({60000, 60000}, {2});
  expect(ops::mean(t, DType::F16)).meta("f16[]{}+0@cpu").values({60000});
}

OP_TEST(Mean, HasNoKernelForIntegers) {
  expect_refused([] { ops::mean(ramp("i64[3]")); }, ErrorFamily::NotImplemented, "");
}

OP_TEST(Mean, RefusesARepeatedDim) {
  expect_refused([] { ops::mean(ramp("f32[2,3]"), dims({1, 1})); }, ErrorFamily::Runtime, "mean.C1");
}

}  // namespace
}  // namespace ersatz
