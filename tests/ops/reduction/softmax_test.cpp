#include "kernels/reduction/softmax.h"
#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

TEST(SoftmaxOnCpu, OfEqualElementsIsEven) {
  const Tensor t = tensor_of<float>({3, 3, 7, 7}, {2, 2});
  expect(ops::_softmax(t, 1)).meta("f32[2,2]{2,1}+0@cpu").values({0.5, 0.5, 0.5, 0.5});
}

TEST(SoftmaxOnCpu, RunsAlongAnyDim) {
  const Tensor t = tensor_of<float>({0, 5, 0, 5}, {2, 2});
  expect(ops::_softmax(t, 0)).values({0.5, 0.5, 0.5, 0.5});
}

TEST(SoftmaxOnCpu, TakesHugeElements) {
  const Tensor t = tensor_of<float>({1e30f, -1e30f}, {2});
  expect(ops::_softmax(t, 0)).values({1, 0});
  expect(ops::_log_softmax(t, 0)).values({0, double(-2 * 1e30f)});
}

OP_TEST(Softmax, AnswersRowMajorForAnyInput) {
  expect(ops::_softmax(ramp("f64[2,3]{1,2}"), -1)).meta("f64[2,3]{3,1}+0@cpu");
}

OP_TEST(Softmax, TakesAnyDTypeWhenEmpty) { expect(ops::_softmax(ramp("i64[0,3]"), 1)).meta("i64[0,3]{3,1}+0@cpu"); }

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
