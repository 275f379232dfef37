// Compares activations that have parameters with their formulas, computed in double.
#include "kernels/pointwise/activation.h"

#include <gtest/gtest.h>

#include <functional>

#include "tests/ops/op_test.h"
#include "tests/ops/pointwise/reference.h"

namespace ersatz::activation_test {
namespace {

using namespace pointwise_test;

void check(const std::function<Tensor(const Tensor&)>& op, const std::function<double(double)>& reference) {
  const SymInt sizes[] = {7, 40}, strides[] = {1, 7};
  for (DType t : {DType::F64, DType::F32, DType::F16, DType::BF16}) {
    Tensor x = spread(t, sizes, strides, -4, 4);
    std::vector<double> in = values_of(x), out = values_of(op(x));
    for (size_t i = 0; i < in.size(); ++i) {
      ASSERT_PRED3(close, out[i], reference(in[i]), tolerance(t)) << in[i] << " of " << name(t);
    }
  }
}

TEST(Activation, Celu) {
  check([](const Tensor& t) { return ops::celu(t, 1.5); },
        [](double x) { return x > 0 ? x : 1.5 * std::expm1(x / 1.5); });
}

TEST(Activation, Elu) {
  check([](const Tensor& t) { return ops::elu(t, 1.5, 2, 0.5); },
        [](double x) { return 2 * (x > 0 ? x : 1.5 * std::expm1(0.5 * x)); });
}

TEST(Activation, Hardshrink) {
  check([](const Tensor& t) { return ops::hardshrink(t, 1); }, [](double x) { return std::abs(x) <= 1 ? 0 : x; });
}

TEST(Activation, Hardtanh) {
  check([](const Tensor& t) { return ops::hardtanh(t, -0.5, 2); }, [](double x) { return std::clamp(x, -0.5, 2.0); });
}

TEST(Activation, LeakyRelu) {
  check([](const Tensor& t) { return ops::leaky_relu(t, 0.25); }, [](double x) { return x > 0 ? x : 0.25 * x; });
}

TEST(Activation, Softplus) {
  check([](const Tensor& t) { return ops::softplus(t, 2, 3); },
        [](double x) { return 2 * x > 3 ? x : std::log1p(std::exp(2 * x)) / 2; });
}

TEST(Activation, Softshrink) {
  check([](const Tensor& t) { return ops::softshrink(t, 1); },
        [](double x) { return x > 1    ? x - 1
                              : x < -1 ? x + 1
                                       : 0; });
}

TEST(Activation, SoftshrinkByNothingIsTheInput) {
  EXPECT_EQ(values_of(ops::softshrink(tensor_of<float>({-2, 0, 3}, {3}), 0)), (std::vector<double>{-2, 0, 3}));
}

TEST(Activation, Threshold) {
  check([](const Tensor& t) { return ops::threshold(t, 0.5, -3); }, [](double x) { return x <= 0.5 ? -3 : x; });
}

TEST(Activation, LogitKeepsAwayFromItsPoles) {
  check([](const Tensor& t) { return ops::logit(t, 0.125); },
        [](double x) {
          const double z = std::clamp(x, 0.125, 0.875);
          return std::log(z / (1 - z));
        });
}

TEST(Activation, NanToNumTakesLimitsOfDtype) {
  Tensor y = ops::nan_to_num(tensor_of<float>({NAN, INFINITY, -INFINITY, 2}, {4}));
  EXPECT_EQ(values_of(y),
            (std::vector<double>{0, std::numeric_limits<float>::max(), -std::numeric_limits<float>::max(), 2}));
  Tensor z = ops::nan_to_num(tensor_of<float>({NAN, INFINITY, -INFINITY, 2}, {4}), 7, 8, 9);
  EXPECT_EQ(values_of(z), (std::vector<double>{7, 8, 9, 2}));
}

TEST(Activation, AComplexParameterIsRefused) {
  try {
    ops::leaky_relu(tensor_of<float>({1}, {1}), Scalar(std::complex<double>(1, 2)));
    FAIL() << "leaky_relu took a complex slope";
  } catch (const Error& e) {
    EXPECT_EQ(e.message, "leaky_relu: the number (1+2j) does not fit dtype f32 [leaky_relu.C1]");
  }
}

TEST(Activation, ANegativeLambdIsRefused) {
  try {
    ops::softshrink(tensor_of<float>({1}, {1}), -0.5);
    FAIL() << "softshrink took a negative lambd";
  } catch (const Error& e) {
    EXPECT_EQ(e.label, "softshrink.C2");
  }
}

ErrorFamily family_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& e) {
    return e.family;
  }
  ADD_FAILURE() << "nothing was refused";
  return ErrorFamily::Index;
}

TEST(Activation, CeluAsksForAnAlphaBeforeADtype) {
  const Tensor whole = tensor_of<int64_t>({1}, {1});
  EXPECT_EQ(family_of([&] { ops::celu(whole, 0); }), ErrorFamily::Runtime);
  EXPECT_EQ(family_of([&] { ops::celu(whole, Scalar(std::complex<double>(0, 1))); }), ErrorFamily::Runtime);
  EXPECT_EQ(family_of([&] { ops::celu(whole, 1); }), ErrorFamily::NotImplemented);
}

TEST(Activation, OutFormComputedApartMissesItsKernelFirst) {
  const Tensor whole = tensor_of<int64_t>({1}, {1}), out = tensor_of<float>({1}, {1});
  const auto write = [&](const char* op) { return family_of([&] { run(op, {whole}, {{"out", out}}); }); };
  EXPECT_EQ(write("aten.celu.out"), ErrorFamily::NotImplemented);
  EXPECT_EQ(write("aten.elu.out"), ErrorFamily::Runtime);
}

TEST(Activation, LimitsOfBytesAreTruncated) {
  const Tensor x = tensor_of<uint8_t>({0, 1, 2, 200}, {4});
  EXPECT_EQ(values_of(ops::hardtanh(x, -1.5, 2)), (std::vector<double>{0, 1, 2, 2}));
  EXPECT_EQ(values_of(ops::hardtanh(x, 0, 300)), (std::vector<double>{0, 1, 2, 200}));
  EXPECT_EQ(family_of([&] { ops::hardtanh(x, 1, -1); }), ErrorFamily::Runtime);
  EXPECT_EQ(values_of(ops::threshold(x, 1, -7)), (std::vector<double>{249, 249, 2, 200}));
  EXPECT_EQ(family_of([&] { ops::threshold(x, 1, -0.5); }), ErrorFamily::Runtime);
}
TEST(Activation, HardtanhOfANanLimitIsNan) {
  for (const double value : values_of(ops::hardtanh(tensor_of<float>({-2, 0, 2}, {3}), NAN, 1))) {
    EXPECT_TRUE(std::isnan(value));
  }
}

}  // namespace
}  // namespace ersatz::activation_test
