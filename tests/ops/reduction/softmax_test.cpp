#include "kernels/reduction/softmax.h"
#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

TEST(LogSoftmax, IsTheLogarithm) {
  const std::vector<double> v = values_of(ops::_log_softmax(ramp("f64[3]"), 0));
  const double sum = 1 + std::exp(1.0) + std::exp(2.0);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(v[size_t(i)], i - std::log(sum), 1e-12);
}

TEST(SoftmaxOnCpu, WidensHalfOnCudaOnly) {
  EXPECT_EQ(rule_answer("aten._softmax.default", {Value(shape_only("f16[3]@cuda:0")), Value(0), Value(true)}),
            "f32[3]{1}+0@cuda:0");
  expect_refused([] { ops::_softmax(ramp("f16[3]"), 0, true); }, ErrorFamily::Runtime, "_softmax.C1");
  expect_refused([] { ops::_log_softmax(ramp("f16[3]"), 0, true); }, ErrorFamily::Runtime, "_log_softmax.C1");
}

}  // namespace
}  // namespace ersatz
