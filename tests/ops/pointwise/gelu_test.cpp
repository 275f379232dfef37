#include <gtest/gtest.h>

#include "kernels/pointwise/gelu.h"
#include "tests/ops/pointwise/reference.h"

namespace ersatz::gelu_test {
namespace {

using pointwise_test::close;

TEST(Gelu, IsXTimesTheNormalDistribution) {
  Tensor x = tensor_of<double>({-3, -1, 0, 0.5, 2}, {5});
  Tensor y = ops::gelu(x);
  for (int i = 0; i < 5; ++i) {
    const double v = x.data<double>()[i];
    EXPECT_PRED3(close, y.data<double>()[i], v * 0.5 * std::erfc(-v / std::sqrt(2.0)), 1e-12) << v;
  }
}

TEST(Gelu, TanhIsItsApproximation) {
  Tensor x = tensor_of<float>({-3, -1, 0, 0.5, 2}, {5});
  Tensor y = ops::gelu(x, "tanh");
  for (int i = 0; i < 5; ++i) {
    const double v = x.data<float>()[i];
    const double expected = 0.5 * v * (1 + std::tanh(std::sqrt(2 / M_PI) * (v + 0.044715 * v * v * v)));
    EXPECT_PRED3(close, y.data<float>()[i], expected, 1e-6) << v;
  }
}

TEST(Gelu, RefusesAnotherApproximation) {
  try {
    ops::gelu(tensor_of<float>({1}, {1}), "erf");
    FAIL() << "gelu took approximate=erf";
  } catch (const Error& e) {
    EXPECT_EQ(e.label, "gelu.C1");
    EXPECT_EQ(e.message, "gelu: approximate must be none or tanh, it is erf [gelu.C1]");
  }
}

}  // namespace
}  // namespace ersatz::gelu_test
