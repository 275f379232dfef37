#include "kernels/linalg/linear_combination.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

Tensor input() { return f32({2, 2}, {1, 2, 3, 4}); }
Tensor coefficients() { return f32({3, 2}, {1, 10, 0, 2, -1, 1}); }

// Values of PyTorch 2.15.
OP_TEST(ComputeLinearCombination, AddsUpRowsTimesCoefficients) {
  const Tensor x = input(), c = coefficients();
  expect(ops::_compute_linear_combination(x, c)).meta("f32[3,2]").values({31, 42, 6, 8, 2, 2});
}
OP_TEST(ComputeLinearCombination, OfTruthValuesAsksWhetherAnyPairIsTrue) {
  const Tensor x = boolean({2, 2}, {1, 0, 1, 1}), c = boolean({3, 2}, {1, 1, 0, 1, 0, 0});
  expect(ops::_compute_linear_combination(x, c)).meta("bool[3,2]").values({1, 1, 1, 1, 0, 0});
}
OP_TEST(ComputeLinearCombinationOut, AddsToWhatIsThere) {
  const Tensor x = input(), c = coefficients(), out = make("f32[3,2]{1,3}", {100, 100, 100, 100, 100, 100});
  expect(run("aten._compute_linear_combination.out", {x, c}, {{"out", out}})).is(out);
  expect(out).meta("f32[3,2]{1,3}").values({131, 142, 106, 108, 102, 102});
}
OP_TEST(ComputeLinearCombinationOut, OfNothingIsNothing) {
  const Tensor out = make("f32[0]");
  expect(run("aten._compute_linear_combination.out", {make("f32[0]"), make("f32[0,2]")}, {{"out", out}})).is(out);
}
OP_TEST(ComputeLinearCombinationOut, RefusesOtherSizes) {
  expect_refused(
      [] {
        run("aten._compute_linear_combination.out", {input(), coefficients()}, {{"out", f32({0})}});
      },
      ErrorFamily::Runtime, "_compute_linear_combination.C3");
  expect_refused(
      [] {
        run("aten._compute_linear_combination.out", {input(), coefficients()}, {{"out", f32({}, {0})}});
      },
      ErrorFamily::Index, "_compute_linear_combination.C3");
}

}  // namespace
}  // namespace ersatz
