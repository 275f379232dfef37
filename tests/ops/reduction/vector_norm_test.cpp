#include "kernels/reduction/vector_norm.h"

#include <cmath>
#include <complex>

#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

TEST(VectorNorm, KnowsEveryOrder) {
  const Tensor t = tensor_of<double>({3, 0, -4}, {3});
  expect(ops::linalg_vector_norm(t, 2)).meta("f64[]{}+0@cpu").values({5});
  expect(ops::linalg_vector_norm(t, 1)).values({7});
  expect(ops::linalg_vector_norm(t, 0)).values({2});
  expect(ops::linalg_vector_norm(t, INFINITY)).values({4});
  expect(ops::linalg_vector_norm(t, -INFINITY)).values({0});
  EXPECT_NEAR(values_of(ops::linalg_vector_norm(t, 3))[0], std::cbrt(27.0 + 64.0), 1e-12);
}

TEST(VectorNorm, OfComplexNumbersIsReal) {
  expect(ops::linalg_vector_norm(tensor_of<std::complex<float>>({{3, 4}}, {1}), 1)).meta("f32[]{}+0@cpu").values({5});
}

TEST(VectorNorm, RefusesWhatHasNoAnswer) {
  const std::string op = "linalg_vector_norm";
  const Tensor t = ramp("f32[2,3]");
  expect_refused([&] { ops::linalg_vector_norm(t, 2, dims({0, 0})); }, ErrorFamily::Runtime, op + ".C1");
  expect_refused([&] { ops::linalg_vector_norm(t, std::complex<double>(1, 2)); }, ErrorFamily::Runtime, op + ".C2");
  expect_refused([] { ops::linalg_vector_norm(ramp("f32[0]"), -1); }, ErrorFamily::Runtime, op + ".C3");
  expect_refused([] { ops::linalg_vector_norm(ramp("f64[2]"), 2, {}, false, DType::F32); }, ErrorFamily::Runtime,
                 op + ".C4");
}

TEST(Norm, IsTheVectorNorm) {
  const Tensor t = tensor_of<float>({3, -4}, {2});
  expect(call("aten.norm.Scalar", {Value(t)})[0].tensor()).meta("f32[]{}+0@cpu").values({5});
  expect(call("aten.norm.ScalarOpt_dim", {Value(t), Value(), ints({0}), Value(true)})[0].tensor())
      .meta("f32[1]{1}+0@cpu")
      .values({5});
}

TEST(Norm, RefusesWhatHasNoAnswer) {
  expect_refused(
      [] {
        call("aten.norm.Scalar", {Value(ramp("f32[3]")), Value(std::complex<double>(0, 1))});
      },
      ErrorFamily::Runtime, "norm.C2");
  expect_refused(
      [] {
        call("aten.norm.Scalar", {Value(ramp("f32[0]")), Value(-1.0)});
      },
      ErrorFamily::Runtime, "norm.C3");
  expect_refused(
      [] {
        call("aten.norm.ScalarOpt_dim", {Value(ramp("f32[3]")), Value(2), ints({0, 0})});
      },
      ErrorFamily::Runtime, "norm.C1");
}

}  // namespace
}  // namespace ersatz
