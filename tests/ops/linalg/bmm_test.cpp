#include "kernels/linalg/bmm.h"

#include <complex>

#include "kernels/shape/as_strided.h"
#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

OP_TEST(Bmm, MultipliesEachPair) {
  expect(ops::bmm(ramp("f32[2,1,2]"), ramp("f32[2,2,1]"))).meta("f32[2,1,1]{1,1,1}+0@cpu").values({1, 13});
}

OP_TEST(Bmm, AnswersTheSecondDTypeForEmptyBatches) {
  expect(ops::bmm(ramp("f32[0,2,3]"), ramp("f64[0,3,2]"))).meta("f64[0,2,2]{4,2,1}+0@cpu");
}

OP_TEST(Bmm, OfEmptyMatricesTakesNoTimeHoweverManyThereAre) {
  expect(ops::bmm(make("f32[1099511627776,0,0]", {}), make("f32[1099511627776,0,3]", {})))
      .meta("f32[1099511627776,0,3]");
}

OP_TEST(Bmm, RefusesOperandsThatDoNotFit) {
  expect_refused([] { ops::bmm(ramp("f32[2,3]"), ramp("f32[3,2]")); }, ErrorFamily::Runtime, "bmm.C1");
  expect_refused([] { ops::bmm(ramp("f32[2,2,3]"), ramp("f32[1,3,2]")); }, ErrorFamily::Runtime, "bmm.C2");
  expect_refused([] { ops::bmm(ramp("f32[1,2,3]"), ramp("f64[1,3,2]")); }, ErrorFamily::Runtime, "bmm.C3");
}

OP_TEST(Baddbmm, AddsABroadcastTensor) {
  expect(ops::baddbmm(ramp("f32[2,1,1]"), ramp("f32[2,1,2]"), ramp("f32[2,2,1]"), 10, 2)).values({2, 36});
}

OP_TEST(Baddbmm, RefusesWhatDoesNotExpand) {
  const Tensor a = ramp("f32[2,1,2]"), b = ramp("f32[2,2,1]");
  expect_refused([&] { ops::baddbmm(ramp("f32[3,1,1]"), a, b); }, ErrorFamily::Runtime, "baddbmm.C4");
  expect_refused([&] { ops::baddbmm(ramp("f32[1]"), a, b, std::complex<double>(0, 1)); }, ErrorFamily::Runtime,
                 "baddbmm.C5");
}

OP_TEST(BmmOut, MayBeElementsThatShareMemory) {
  Tensor out = make("f32[1,1,2]{0,0,0}");
  run("aten.bmm.out", {f32({1, 1, 1}, {2}), f32({1, 1, 2}, {3, 4})}, {{"out", out}});
  expect(out).values({8, 8});
}
OP_TEST(BaddbmmInPlace, MayBeElementsThatShareMemory) {
  const Tensor self = ramp("f32[1,2,2]{0,0,1}");
  expect(run("aten.baddbmm_.default", {self, ramp("f32[1,2,1]"), ramp("f32[1,1,2]")}))
      .is(self)
      .meta("f32[1,2,2]{0,0,1}");
}
OP_TEST(BaddbmmOut, IsNoPartOfSelf) {
  const auto product = [](double beta) {
    const Tensor memory = ramp("f32[3]"), self = ops::as_strided(memory, dims({1, 1, 2}), dims({2, 2, 1}), 1),
                 out = ops::as_strided(memory, dims({1, 1, 2}), dims({2, 2, 1}));
    return run("aten.baddbmm.out", {self, ramp("f32[1,1,2]"), ramp("f32[1,2,2]")}, {{"beta", beta}, {"out", out}});
  };
  expect(product(0)).values({2, 3});
  expect_refused([&] { product(1); }, ErrorFamily::Runtime, "baddbmm.overlap");
}

}  // namespace
}  // namespace ersatz
