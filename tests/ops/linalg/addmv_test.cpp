#include "kernels/linalg/addmv.h"

#include <complex>

#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

OP_TEST(Mv, MultipliesAMatrixAndAVector) {
  expect(ops::mv(ramp("f32[2,3]{1,2}"), ramp("f32[3]{2}+1"))).meta("f32[2]{1}+0@cpu").values({5, 14});
}

OP_TEST(Addmv, AddsABroadcastVector) {
  expect(ops::addmv(ramp("f32[2]"), ramp("f32[2,3]"), ramp("f32[3]"), 10, 2)).values({10, 38});
}

OP_TEST(Addmv, KeepsTheSizesOfSelfBesideAnEmptyMatrix) {
  expect(ops::addmv(f32({}, {3}), ramp("f32[2,0]"), ramp("f32[0]"), 2)).meta("f32[]{}+0@cpu").values({6});
  expect(ops::addmv(f32({}, {3}), ramp("f32[2,0]"), ramp("f32[0]"), 0)).meta("f32[2]{1}+0@cpu").values({0, 0});
}

OP_TEST(Dot, SumsProducts) {
  expect(ops::dot(ramp("f64[4]"), make("f64[4]", {5, 6, 7, 8}))).meta("f64[]{}+0@cpu").values({44});
}

OP_TEST(VectorProducts, RefuseOperandsThatDoNotFit) {
  const Tensor v = ramp("f32[3]"), m = ramp("f32[2,3]");
  expect_refused([&] { ops::mv(v, v); }, ErrorFamily::Runtime, "mv.C1");
  expect_refused([&] { ops::mv(m, ramp("f32[2]")); }, ErrorFamily::Runtime, "mv.C2");
  expect_refused([&] { ops::mv(m, ramp("f64[3]")); }, ErrorFamily::Runtime, "mv.C3");
  expect_refused([&] { ops::addmv(v, v, v); }, ErrorFamily::Runtime, "addmv.C1");
  expect_refused([&] { ops::addmv(v, m, ramp("f32[2]")); }, ErrorFamily::Runtime, "addmv.C2");
  expect_refused([&] { ops::addmv(v, m, ramp("f64[3]")); }, ErrorFamily::Runtime, "addmv.C3");
  expect_refused([&] { ops::addmv(v, m, v); }, ErrorFamily::Runtime, "addmv.C4");
  expect_refused([&] { ops::addmv(ramp("f32[2]"), m, v, 1, std::complex<double>(0, 1)); }, ErrorFamily::Runtime,
                 "addmv.C5");
  expect_refused([&] { ops::dot(m, v); }, ErrorFamily::Runtime, "dot.C1");
  expect_refused([&] { ops::dot(v, ramp("f32[2]")); }, ErrorFamily::Runtime, "dot.C2");
  expect_refused([&] { ops::dot(v, ramp("f64[3]")); }, ErrorFamily::Runtime, "dot.C3");
}

}  // namespace
}  // namespace ersatz
