#include "kernels/linalg/addmm.h"

#include <cmath>
#include <complex>

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

TEST(AddmmOnCpu, CarriesASymbolicBatch) {
  ShapeEnv env;
  env.symbol("s0", 4);
  EXPECT_EQ(rule_answer("aten.addmm.default", {Value(shape_only("f32[16]")), Value(shape_only("f32[s0,8]", &env)),
                                               Value(shape_only("f32[8,16]{1,8}"))}),
            "f32[s0,16]{16,1}+0@cpu");
  EXPECT_TRUE(env.guards().empty());
}

}  // namespace
}  // namespace ersatz
