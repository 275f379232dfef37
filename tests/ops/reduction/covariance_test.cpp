#include "kernels/reduction/covariance.h"

#include "tests/ops/op_test.h"

namespace ersatz {
namespace {

Tensor observed() { return f64({2, 3}, {1, 2, 3, 2, 0, 4}); }

OP_TEST(Cov, OfVariablesInRows) {
  expect(ops::cov(observed())).meta("f64[2,2]").values({1, 1, 1, 4});
  expect(ops::cov(observed(), 0)).values({2.0 / 3, 2.0 / 3, 2.0 / 3, 8.0 / 3});
  expect(ops::cov(f64({3}, {1, 2, 3}))).meta("f64[]").values({1});
}
OP_TEST(Cov, CountsAndWeighsObservations) {
  const Tensor twice = i64({3}, {1, 2, 1}), weights = f64({3}, {1, 0.5, 1});
  expect(ops::cov(observed(), 1, twice)).values({2.0 / 3, 2.0 / 3, 2.0 / 3, 11.0 / 3});
  expect(ops::cov(observed(), 0, Tensor(), weights)).values({0.8, 0.8, 0.8, 2.24});
}
TEST(Cov, RefusesWeightsThatMeanNothing) {
  const auto refused = [](auto&& f) { expect_refused(f, ErrorFamily::Runtime, "cov.value"); };
  refused([] { ops::cov(observed(), 1, i64({3}, {1, -1, 1})); });
  refused([] { ops::cov(observed(), 1, i64({3}, {0, 0, 0})); });
}
OP_TEST(Corrcoef, IsBetweenMinusOneAndOne) {
  expect(ops::corrcoef(observed())).meta("f64[2,2]").values({1, 0.5, 0.5, 1});
  expect(ops::corrcoef(f64({2, 2}, {1, 2, 5, 3}))).values({1, -1, -1, 1});
}

}  // namespace
}  // namespace ersatz
