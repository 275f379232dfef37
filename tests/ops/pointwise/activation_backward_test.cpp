// Compares gradients of activations with central differences in double.
#include "kernels/pointwise/activation_backward.h"

#include <gtest/gtest.h>

#include <functional>

#include "kernels/pointwise/activation.h"
#include "kernels/pointwise/gelu.h"
#include "kernels/pointwise/pointwise.h"
#include "runtime/base/error.h"
#include "tests/ops/op_calls.h"
#include "tests/ops/pointwise/reference.h"

namespace ersatz {
namespace {

using pointwise_test::close;
using pointwise_test::spread;
using pointwise_test::tolerance;
using pointwise_test::values_of;
using Op = std::function<Tensor(const Tensor&)>;

Tensor f64_of(const std::vector<double>& values) {
  const SymInt sizes[] = {static_cast<int64_t>(values.size())};
  Tensor t = make_real_tensor(TensorMeta(DType::F64, sizes));
  std::copy(values.begin(), values.end(), t.data<double>());
  return t;
}
/// Expects that `backward` of a gradient of 2 is twice the slope of `forward`, for each float dtype.
void check(const Op& backward, const Op& forward, double low = -4, double high = 4) {
  const SymInt sizes[] = {7, 40}, strides[] = {1, 7};
  for (DType t : {DType::F64, DType::F32, DType::F16, DType::BF16}) {
    const Tensor x = spread(t, sizes, strides, low, high);
    const std::vector<double> at = values_of(x), got = values_of(backward(x));
    const auto moved = [&](double by) {
      std::vector<double> to(at);
      for (double& v : to) v += by;
      return values_of(forward(f64_of(to)));
    };
    const std::vector<double> above = moved(1e-6), here = moved(0), below = moved(-1e-6);
    size_t kinks = 0;  // points at which the slope to the left differs from the slope to the right
    for (size_t i = 0; i < at.size(); ++i) {
      const double right = (above[i] - here[i]) / 1e-6, left = (here[i] - below[i]) / 1e-6;
      if (std::abs(right - left) > 1e-3) {
        ++kinks;
        continue;
      }
      ASSERT_PRED3(close, got[i], right + left, tolerance(t) + 1e-7) << at[i] << " of " << name(t);
    }
    EXPECT_LE(kinks, 30u);
  }
}
Tensor twos(const Tensor& like) { return ops::add(ops::mul(like, Scalar(0)), Scalar(2)); }

#define GRADIENT(Name, backward, forward)                                                     \
  TEST(ActivationBackward, Name) {                                                            \
    check([](const Tensor& x) { return backward; }, [](const Tensor& x) { return forward; }); \
  }
GRADIENT(Elu, ops::elu_backward(twos(x), 1.5, 2, 0.5, false, x), ops::elu(x, 1.5, 2, 0.5))
GRADIENT(EluFromItsResult, ops::elu_backward(twos(x), 1.5, 2, 0.5, true, ops::elu(x, 1.5, 2, 0.5)),
         ops::elu(x, 1.5, 2, 0.5))
GRADIENT(Gelu, ops::gelu_backward(twos(x), x), ops::gelu(x))
GRADIENT(GeluByTanh, ops::gelu_backward(twos(x), x, "tanh"), ops::gelu(x, "tanh"))
GRADIENT(Hardshrink, ops::hardshrink_backward(twos(x), x, 1), ops::hardshrink(x, 1))
GRADIENT(Hardsigmoid, ops::hardsigmoid_backward(twos(x), x), ops::hardsigmoid(x))
GRADIENT(Hardswish, ops::hardswish_backward(twos(x), x), ops::hardswish(x))
GRADIENT(Hardtanh, ops::hardtanh_backward(twos(x), x, -1, 2), ops::hardtanh(x, -1, 2))
GRADIENT(LeakyRelu, ops::leaky_relu_backward(twos(x), x, 0.25, false), ops::leaky_relu(x, 0.25))
GRADIENT(Mish, ops::mish_backward(twos(x), x), ops::mish(x))
GRADIENT(Silu, ops::silu_backward(twos(x), x), ops::silu(x))
GRADIENT(Softplus, ops::softplus_backward(twos(x), x, 2, 3), ops::softplus(x, 2, 3))
GRADIENT(Softshrink, ops::softshrink_backward(twos(x), x, 1), ops::softshrink(x, 1))
GRADIENT(Threshold, ops::threshold_backward(twos(x), x, 1), ops::threshold(x, 1, 0))
#undef GRADIENT

TEST(ActivationBackward, Logit) {
  check([](const Tensor& x) { return ops::logit_backward(twos(x), x, 0.2); },
        [](const Tensor& x) { return ops::logit(x, 0.2); }, 0.05, 0.95);
}
OP_TEST(GeluBackward, IsRefusedWhereOneDnnHasNoConversion) {
  const auto refused = [](const char* grad, const char* self, const char* out) {
    expect_refused(
        [&] {
          run("aten.gelu_backward.grad_input", {ramp(grad), ramp(self)}, {{"grad_input", ramp(out)}});
        },
        ErrorFamily::Runtime, "gelu_backward.C3");
  };
  refused("bf16[2]", "bf16[2]", "f64[0]");
  refused("f32[2]", "f32[2]", "c64[2]");
  refused("f32[2]", "bf16[2]", "f16[2]");
  refused("f16[2]", "bf16[2]", "f32[2]");
  refused("f64[2]", "f32[2]", "f64[2]");
  refused("i64[2]", "f32[2]", "f32[2]");
}
OP_TEST(GeluBackward, ConvertsWhatOneDnnDoesNotCompute) {
  const auto made = [](const char* grad, const char* self, const char* out) {
    return run("aten.gelu_backward.grad_input", {ramp(grad), ramp(self)}, {{"grad_input", ramp(out)}});
  };
  expect(made("f32[1]", "f32[1]", "f64[1]")).meta("f64[1]").values({0});
  expect(made("f32[2,2]", "f32[2,2]{1,2}", "f64[0]")).meta("f64[2,2]");
  expect(made("f16[2]", "f16[2]", "f64[2]")).meta("f64[2]");
  expect(made("f16[2]", "f32[2]", "bf16[2]")).meta("bf16[2]");
  expect(run("aten.gelu_backward.grad_input", {ramp("f32[2]"), ramp("f32[2]")},
             {{"grad_input", ramp("f64[2]")}, {"approximate", "tanh"}}))
      .meta("f64[2]");
}
// PyTorch 2.15.
TEST(ActivationBackward, OfComplexSiluIsNotConjugated) {
  const Tensor g = make("c128[1]"), x = make("c128[1]");
  g.data<std::complex<double>>()[0] = {1, 0};
  x.data<std::complex<double>>()[0] = {0, 1};
  const std::complex<double> i(0, 1), s = 1. / (1. + std::exp(-i)), slope = s * (1. + i * (1. - s));
  EXPECT_NEAR(std::abs(ops::silu_backward(g, x).data<std::complex<double>>()[0] - slope), 0, 1e-12);
}
// PyTorch 2.15 multiplies by 1/6 in single precision even for f64.
TEST(ActivationBackward, OfHardsigmoidIsASixthOfSinglePrecision) {
  const Tensor x = make("f64[1]", {1});
  EXPECT_DOUBLE_EQ(ops::hardsigmoid_backward(x, x).data<double>()[0], 1.0f / 6.0f);
}
TEST(ActivationBackward, TakesABoolForANumber) {
  const Tensor x = make("f64[1]", {0.5}), one = make("f64[1]", {1});
  EXPECT_EQ(values_of(ops::softplus_backward(one, x, Scalar(true), 2)),
            values_of(ops::softplus_backward(one, x, 1, 2)));
}

}  // namespace
}  // namespace ersatz
