#include "kernels/linalg/addmv.h"

#include <complex>

#include "kernels/shape/as_strided.h"
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
OP_TEST(VectorProducts, MayBeWrittenToTheirOperands) {
  const Tensor m = f32({2, 2}, {1, 2, 3, 4}), v = f32({3}, {1, 1, 5}), first = ops::as_strided(v, dims({2}), dims({1})),
               last = ops::as_strided(v, dims({2}), dims({1}), 1);
  expect(run("aten.mv.out", {m, first}, {{"out", last}})).values({3, 7});
  expect(run("aten.addmv.out", {f32({2}, {0, 1}), m, first}, {{"out", last}})).values({7, 16});
  expect(run("aten.dot.out", {first, first}, {{"out", ops::as_strided(v, dims({}), dims({}), 1)}})).values({50});
}
OP_TEST(AddmvOut, HasElementsOfItsOwnUnlessBetaIsZero) {
  const auto product = [](double beta) {
    return run("aten.addmv.out", {ramp("f32[2]"), ramp("f32[2,2]"), ramp("f32[2]")},
               {{"beta", beta}, {"out", ramp("f32[2]{0}")}});
  };
  expect(product(0)).meta("f32[2]{0}");
  expect_refused([&] { product(1); }, ErrorFamily::Runtime, "addmv.overlap");
}

}  // namespace
}  // namespace ersatz
