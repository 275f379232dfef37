#include "kernels/pointwise/polygamma.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(Polygamma, IsADerivativeOfDigamma) {
  expect(ops::polygamma(1, f64({1}, {1}))).meta("f64[1]").values({1.6449340668482264});
  expect(ops::polygamma(2, f64({1}, {1}))).values({-2.4041138063191886});
}
OP_TEST(Polygamma, OfIntegersHasTheDefaultDtype) {
  expect(ops::polygamma(0, i64({1}, {1}))).meta("f32[1]").values({-0.5772157});
}
OP_TEST(Polygamma, RefusesANegativeOrder) {
  const Tensor x = ramp("f32[2]");
  expect_refused([&] { ops::polygamma(-1, x); }, ErrorFamily::Runtime, "polygamma.C1");
}
OP_TEST(Mvlgamma, SumsLogGammasOfHalves) {
  expect(ops::mvlgamma(f64({1}, {3}), 2)).meta("f64[1]").values({1.5501949939575687});
}
OP_TEST(Mvlgamma, RefusesBoolsAndDimensionsBelowOne) {
  const Tensor x = ramp("f32[2]"), truth = boolean({1}, {1});
  expect_refused([&] { ops::mvlgamma(x, 0); }, ErrorFamily::Runtime, "mvlgamma.C2");
  expect_refused([&] { ops::mvlgamma(truth, 1); }, ErrorFamily::Runtime, "mvlgamma.C1");
}

}  // namespace
}  // namespace ersatz
