#include "kernels/linalg/addmm.h"

#include <cmath>
#include <complex>

#include "kernels/linalg/addmv.h"
#include "kernels/linalg/bmm.h"
#include "kernels/shape/as_strided.h"
#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

OP_TEST(Addmm, AddsABroadcastRow) {
  expect(ops::addmm(ramp("f32[2]"), ramp("f32[2,3]"), ramp("f32[3,2]")))
      .meta("f32[2,2]{2,1}+0@cpu")
      .values({10, 14, 28, 41});
}

OP_TEST(Addmm, ScalesBothTerms) {
  expect(ops::addmm(ramp("f64[2,1]"), ramp("f64[2,3]"), ramp("f64[3,2]"), 10, 0.5)).values({5, 6.5, 24, 30});
}

TEST(AddmmOnCpu, IgnoresSelfWhenBetaIsZero) {
  const Tensor nan = tensor_of<float>({NAN, NAN}, {2});
  expect(ops::addmm(nan, ramp("f32[2,3]"), ramp("f32[3,2]"), 0)).values({10, 13, 28, 40});
}

TEST(AddmmOnCpu, WorksInPlace) {
  const Tensor self = ramp("f32[2,2]{1,2}");
  call("aten.addmm_.default", {Value(self), Value(ramp("f32[2,3]")), Value(ramp("f32[3,2]"))});
  expect(self).meta("f32[2,2]{1,2}+0@cpu").values({10, 14, 30, 43});
}

OP_TEST(Addmm, RefusesOperandsThatDoNotFit) {
  const Tensor row = ramp("f32[2]"), a = ramp("f32[2,3]"), b = ramp("f32[3,2]");
  expect_refused([&] { ops::addmm(row, row, b); }, ErrorFamily::Runtime, "addmm.C1");
  expect_refused([&] { ops::addmm(row, a, a); }, ErrorFamily::Runtime, "addmm.C2");
  expect_refused([&] { ops::addmm(row, a, ramp("f64[3,2]")); }, ErrorFamily::Runtime, "addmm.C3");
  expect_refused([&] { ops::addmm(ramp("f32[3]"), a, b); }, ErrorFamily::Runtime, "addmm.C4");
  expect_refused([&] { ops::addmm(row, a, b, 1, std::complex<double>(1, 2)); }, ErrorFamily::Runtime, "addmm.C5");
}
// PyTorch 2.15.
OP_TEST(Addmm, RefusesFactorsBeyondTheIntegersButWhereNothingIsMultiplied) {
  const auto of = [](const char* self, const char* a, const char* b, Scalar beta, Scalar alpha) {
    return [=] { ops::addmm(make(self), make(a), make(b), beta, alpha); };
  };
  for (const double factor : {double(NAN), 256.0, -256.0}) {
    expect_refused(of("u8[2,2]", "u8[2,3]", "u8[3,2]", factor, 1), ErrorFamily::Runtime, "addmm.C5");
    expect_refused(of("u8[2,2]", "u8[2,3]", "u8[3,2]", 1, factor), ErrorFamily::Runtime, "addmm.C5");
    of("u8[2,2]", "u8[2,0]", "u8[0,2]", 1, factor)();
  }
  expect_refused([] { ops::addmv(make("f16[2]"), make("f16[2,3]"), make("f16[3]"), 1e6); }, ErrorFamily::Runtime,
                 "addmv.C5");
  ops::addmm(make("f16[2,2]"), make("f16[2,3]"), make("f16[3,2]"), 1e6);
  expect_refused([] { ops::baddbmm(make("i64[1,2,2]"), make("i64[1,2,3]"), make("i64[1,3,2]"), 1, 1e30); },
                 ErrorFamily::Runtime, "baddbmm.C5");
}

TEST(AddmmOnCpu, CarriesASymbolicBatch) {
  ShapeEnv env;
  env.symbol("s0", 4);
  EXPECT_EQ(rule_answer("aten.addmm.default", {Value(shape_only("f32[16]")), Value(shape_only("f32[s0,8]", &env)),
                                               Value(shape_only("f32[8,16]{1,8}"))}),
            "f32[s0,16]{16,1}+0@cpu");
  EXPECT_TRUE(env.guards().empty());
}
OP_TEST(AddmmOut, IsCopiedToFirstUnlessBetaIsZero) {
  const auto product = [](double beta, const char* mat1, const char* mat2, const char* out) {
    return run("aten.addmm.out", {ramp("f32[2,2]"), ramp(mat1), ramp(mat2)}, {{"beta", beta}, {"out", ramp(out)}});
  };
  expect(product(0, "f32[2,0]", "f32[0,2]", "f32[2,2]{0,1}")).meta("f32[2,2]{0,1}").values({0, 0, 0, 0});
  expect_refused([&] { product(1, "f32[2,0]", "f32[0,2]", "f32[2,2]{0,1}"); }, ErrorFamily::Runtime, "addmm.overlap");
  expect_refused([&] { product(0, "f32[2,1]", "f32[1,2]", "f32[2,2]{0,1}"); }, ErrorFamily::Runtime, "addmm.overlap");
}
OP_TEST(AddmmOut, MayHoldAPartOfAFactorButNotOfSelf) {
  const auto product = [](bool of_self) {
    const Tensor memory = ramp("f32[6]"), part = ops::as_strided(memory, dims({2, 2}), dims({2, 1}), 1),
                 out = ops::as_strided(memory, dims({2, 2}), dims({2, 1})), other = ramp("f32[2,2]");
    return run("aten.addmm.out", {of_self ? part : other, of_self ? other : part, other}, {{"out", out}});
  };
  expect(product(false)).values({4, 8, 10, 18});
  expect_refused([&] { product(true); }, ErrorFamily::Runtime, "addmm.overlap");
}
TEST(Addbmm, WritesTheSumToASelfOfAnyDtype) {
  const Tensor self = make("bool[1,1]", {1}), a = f32({2, 1, 1}, {2, 3}), out = make("f32[1,1]");
  call_op<"aten.addbmm.out">(self, a, a, Scalar(10), Scalar(1), out);
  expect(out).values({23});
}

}  // namespace
}  // namespace ersatz
