#include "kernels/reduction/variance.h"

#include <cmath>
#include <complex>

#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

OP_TEST(Variance, DividesByTheCountLessOne) {
  SymInt dim[] = {1};
  expect(ops::var(f32({2, 3}, {1, 2, 3, 2, 4, 6}), dim)).meta("f32[2]{1}+0@cpu").values({1, 4});
  expect(ops::std(f32({2, 3}, {1, 2, 3, 2, 4, 6}), dim)).meta("f32[2]{1}+0@cpu").values({1, 2});
}

OP_TEST(Variance, DividesByTheCountWithoutCorrection) {
  SymInt dim[] = {0};
  expect(ops::var(f32({2}, {1, 3}), dim, Scalar(0), /*keepdim=*/true)).meta("f32[1]{1}+0@cpu").values({1});
}

TEST(VarianceOnCpu, TheMeanOfNoComplexNumbersIsNaNInBothParts) {
  const SymInt none[] = {0};
  const Tensor empty = make_real_tensor(TensorMeta(DType::C64, none));
  const Values results = call_op_all(op_named("aten.var_mean.default"), empty, true);
  const std::complex<float> mean = results[1].tensor().data<std::complex<float>>()[0];
  EXPECT_TRUE(std::isnan(mean.real()));
  EXPECT_TRUE(std::isnan(mean.imag()));
}

OP_TEST(Variance, RefusesARepeatedDim) {
  SymInt dims[] = {0, -1};
  expect_error([&] { ops::var(f32({2}, {1, 3}), dims); }, "var.C1", "");
}

TEST(Var, DividesByTheCountLessTheCorrection) {
  const Tensor t = tensor_of<float>({1, 3, 5, 7}, {4});  // squared distances: 9 + 1 + 1 + 9
  expect(ops::var(t, dims({0}))).meta("f32[]{}+0@cpu").values({double(20.0f / 3.0f)});
  expect(ops::var(t, dims({0}), Scalar(0))).values({5});
  expect(ops::var(t, dims({0}), Scalar(4))).values({INFINITY});
  expect(ops::std(t, dims({0}), Scalar(-1), true)).meta("f32[1]{1}+0@cpu").values({2});
}

TEST(Var, StaysAccurateFarFromZero) {
  Tensor t = make_real_tensor(TensorMeta(DType::F32, dims({3000})));
  for (int64_t i = 0; i < 3000; ++i) t.data<float>()[i] = 1e6f + float(i % 2);
  expect(ops::var(t, dims({0}), Scalar(0))).values({0.25});
}

TEST(Var, OfComplexNumbersIsReal) {
  const Tensor t = tensor_of<std::complex<float>>({{0, 1}, {0, -1}}, {2});
  expect(ops::var(t, dims({0}), Scalar(0))).meta("f32[]{}+0@cpu").values({1});
}

TEST(VarMean, AnswersBoth) {
  Values v = call("aten.var_mean.dim", {Value(ramp("f32[2,2]{1,2}")), ints({1}), Value(false)});
  expect(v[0].tensor()).meta("f32[2]{1}+0@cpu").values({0.25, 0.25});
  expect(v[1].tensor()).meta("f32[2]{1}+0@cpu").values({0.5, 2.5});
}

TEST(Var, RefusesARepeatedDim) {
  for (const char* op : {"var", "std", "var_mean", "std_mean"}) {
    expect_refused(
        [&] {
          call(std::string("aten.") + op + ".dim", {Value(ramp("f32[3]")), ints({0, 0})});
        },
        ErrorFamily::Runtime, std::string(op) + ".C1");
  }
}

OP_TEST(ReductionOut, OfASpreadTakesOtherFloats) {
  const Tensor out = make("f64[]");
  expect(call_op<"aten.var.out">(f32({2}, {1, 3}), dims({0}), true, false, out)).meta("f64[]").values({2});
  const Tensor bad = make("c64[2]");
  EXPECT_THROW(call_op<"aten.var.out">(f32({2, 2}, {1, 3, 3, 1}), dims({0}), true, false, bad), Error);
  // One number is made apart, and copied.
  const Tensor number = make("c64[]");
  expect(call_op<"aten.var.out">(f32({2}, {1, 3}), dims({0}), true, false, number)).complex_values({2});
}

}  // namespace
}  // namespace ersatz
