#include "kernels/reduction/any_all.h"
#include "kernels/reduction/arg_extrema.h"
#include "kernels/reduction/cumsum.h"
#include "kernels/reduction/extrema.h"
#include "kernels/reduction/logsumexp.h"
#include "kernels/reduction/prod.h"
#include "kernels/reduction/variance.h"
#include "kernels/reduction/vector_norm.h"
#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

OP_TEST(Amax, TakesTheLargestOverDims) {
  expect(ops::amax(ramp("f32[2,3]{1,2}"), dims({0}))).meta("f32[3]{1}+0@cpu").values({3, 4, 5});
  expect(ops::amax(ramp("i8[2,3]"), {}, true)).meta("i8[1,1]{1,1}+0@cpu").values({5});
}

OP_TEST(Amin, TakesTheSmallestOverDims) {
  expect(ops::amin(ramp("f16[2,3]"), dims({-1}))).meta("f16[2]{1}+0@cpu").values({0, 3});
}

TEST(AmaxOnCpu, LetsNaNWin) { EXPECT_TRUE(std::isnan(values_of(ops::amax(tensor_of<float>({1, NAN, 3}, {3})))[0])); }

OP_TEST(Amax, RefusesBadDims) {
  expect_refused([] { ops::amax(ramp("f32[2,3]"), dims({0, 0})); }, ErrorFamily::Runtime, "amax.C1");
  expect_refused([] { ops::amax(ramp("f32[2,0]"), dims({1})); }, ErrorFamily::Index, "amax.C2");
  expect_refused([] { ops::amin(ramp("f32[2,3]"), dims({0, 0})); }, ErrorFamily::Runtime, "amin.C1");
  expect_refused([] { ops::amin(ramp("f32[2,0]"), dims({1})); }, ErrorFamily::Index, "amin.C2");
  expect_refused([] { ops::amin(ramp("f32[2,0]")); }, ErrorFamily::Runtime, "amin.C2");
}

TEST(ProdOnCpu, MultipliesAll) {
  const Tensor t = tensor_of<int32_t>({2, 3, 4}, {3});
  expect(ops::prod(t)).meta("i64[]{}+0@cpu").values({24});
  expect(ops::prod(t, DType::F32)).meta("f32[]{}+0@cpu").values({24});
}

OP_TEST(Prod, MultipliesOverADim) {
  expect(ops::prod(ramp("f32[2,2]"), 1)).meta("f32[2]{1}+0@cpu").values({0, 6});
  expect(ops::prod(ramp("f32[0]"))).values({1});
}

OP_TEST(Any, IsTrueForOneThatIsNotZero) {
  expect(ops::any(ramp("f32[3]"))).meta("bool[]{}+0@cpu").values({1});
  expect(ops::any(ramp("f32[2,1]"), 1)).meta("bool[2]{1}+0@cpu").values({0, 1});
  expect(ops::any(ramp("f32[0]"))).values({0});
}

OP_TEST(All, IsFalseForOneThatIsZero) {
  expect(ops::all(ramp("i64[3]"))).meta("bool[]{}+0@cpu").values({0});
  expect(ops::all(ramp("u8[2,1]"), 1, true)).meta("u8[2,1]{1,1}+0@cpu").values({0, 1});
  expect(ops::all(ramp("f32[0]"))).values({1});
}

TEST(AnyOnCpu, ReducesNoDimForAnEmptyList) {
  expect(call("aten.any.dims", {Value(ramp("f32[3]")), ints({})})[0].tensor())
      .meta("bool[3]{1}+0@cpu")
      .values({0, 1, 1});
}

TEST(AnyOnCpu, RefusesARepeatedDim) {
  for (const char* op : {"any", "all"}) {
    expect_refused(
        [&] {
          call(std::string("aten.") + op + ".dims", {Value(ramp("f32[3]")), ints({0, 0})});
        },
        ErrorFamily::Runtime, std::string(op) + ".C1");
  }
}

TEST(ArgmaxOnCpu, FindsTheFirstOfEquals) {
  const Tensor t = tensor_of<float>({1, 5, 5, 0, 7, 2}, {2, 3});
  expect(ops::argmax(t)).meta("i64[]{}+0@cpu").values({4});
  expect(ops::argmax(t, 1)).meta("i64[2]{1}+0@cpu").values({1, 1});
  expect(ops::argmin(t, 0, true)).meta("i64[1,3]{3,1}+0@cpu").values({1, 0, 1});
}

TEST(ArgmaxOnCpu, FindsNaN) { expect(ops::argmax(tensor_of<float>({9, NAN, 10}, {3}))).values({1}); }

OP_TEST(Argmax, RefusesAnEmptyDim) {
  expect_refused([] { ops::argmax(ramp("f32[2,0]"), 1); }, ErrorFamily::Index, "argmax.C1");
  expect_refused([] { ops::argmin(ramp("f32[0]")); }, ErrorFamily::Index, "argmin.C1");
  expect_refused([] { ops::argmax(ramp("c64[2]")); }, ErrorFamily::Type, "argmax.C2");
  expect_refused([] { ops::argmin(ramp("c64[2]")); }, ErrorFamily::Type, "argmin.C2");
}

TEST(Var, DividesByTheCountLessTheCorrection) {
  const Tensor t = tensor_of<float>({1, 3, 5, 7}, {4});  // squared distances: 9 + 1 + 1 + 9
  expect(ops::var(t, dims({0}))).meta("f32[]{}+0@cpu").values({double(20.0f / 3.0f)});
  expect(ops::var(t, dims({0}), Scalar(0))).values({5});
  expect(ops::var(t, dims({0}), Scalar(4))).values({kInf});
  expect(ops::std(t, dims({0}), Scalar(-1), true)).meta("f32[1]{1}+0@cpu").values({2});
}

TEST(Var, StaysAccurateFarFromZero) {
  Tensor t = make_real_tensor(TensorMeta(DType::F32, dims({3000})));
  for (int64_t i = 0; i < 3000; ++i) t.data<float>()[i] = 1e6f + float(i % 2);
  expect(ops::var(t, dims({0}), Scalar(0))).values({0.25});
}

OP_TEST(Prod, IsInTheNarrowIntegerDtypeThatIsAskedFor) {
  expect(ops::prod(i64({3}, {2, 3, 7}), DType::I16)).meta("i16[]").values({42});
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

TEST(VectorNorm, KnowsEveryOrder) {
  const Tensor t = tensor_of<double>({3, 0, -4}, {3});
  expect(ops::linalg_vector_norm(t, 2)).meta("f64[]{}+0@cpu").values({5});
  expect(ops::linalg_vector_norm(t, 1)).values({7});
  expect(ops::linalg_vector_norm(t, 0)).values({2});
  expect(ops::linalg_vector_norm(t, kInf)).values({4});
  expect(ops::linalg_vector_norm(t, -kInf)).values({0});
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

TEST(LogsumexpOnCpu, DoesNotOverflow) {
  const Tensor t = tensor_of<double>({1000, 1000}, {2});
  EXPECT_NEAR(values_of(ops::logsumexp(t, dims({0})))[0], 1000 + std::log(2.0), 1e-9);
  expect(ops::logsumexp(tensor_of<float>({-INFINITY, -INFINITY}, {2}), dims({0}))).values({-kInf});
  expect(ops::logsumexp(tensor_of<float>({1, INFINITY}, {2}), dims({0}))).values({kInf});
}

OP_TEST(Logsumexp, AnswersTheDefaultDTypeForIntegers) {
  expect(ops::logsumexp(ramp("i64[1,1]"), dims({0}), true)).meta("f32[1,1]{1,1}+0@cpu").values({0});
}

OP_TEST(Logsumexp, RefusesNoDims) {
  expect_refused([] { ops::logsumexp(ramp("f32[3]"), {}); }, ErrorFamily::Runtime, "logsumexp.C1");
}

OP_TEST(Cumsum, RunsAlongADim) {
  expect(ops::cumsum(ramp("f32[2,3]{1,2}"), 1)).meta("f32[2,3]{3,1}+0@cpu").values({0, 1, 3, 3, 7, 12});
  expect(ops::cumsum(ramp("bool[4]"), 0)).meta("i64[4]{1}+0@cpu").values({0, 1, 2, 3});
}

TEST(CumsumOnCpu, KeepsTheDTypeInPlace) {
  const Tensor t = ramp("i32[3]");
  call("aten.cumsum_.default", {Value(t), Value(0)});
  expect(t).meta("i32[3]{1}+0@cpu").values({0, 1, 3});
}

TEST(SumOnCpu, TakesTheDTypeOfAnOutArgument) {
  const Tensor out = ramp("f64[1]");
  call("aten.sum.IntList_out",
       {Value(tensor_of<float>({0.5, 0.25}, {2})), ints({0}), Value(true), Value(), Value(out)});
  expect(out).meta("f64[1]{1}+0@cpu").values({0.75});
}

}  // namespace
}  // namespace ersatz
