#include "kernels/linalg/named_factors.h"

#include <limits>

#include "tests/ops/op_test.h"

namespace ersatz {
namespace {

Tensor regular() { return f64({2, 2}, {0, 2, 3, 4}); }
Tensor singular() { return f64({2, 2}, {1, 2, 2, 4}); }

OP_TEST(NamedFactors, GiveSomeOfTheInnerResults) {
  expect(ops::linalg_det(regular())).meta("f64[]").values({-6});
  expect(ops::linalg_slogdet(regular()).sign).values({-1});
  expect(ops::linalg_inv(regular())).meta("f64[2,2]{1,2}").values({-2.0 / 3, 1.0 / 3, 0.5, 0});
  expect(ops::linalg_solve(regular(), f64({2}, {2, 7}))).meta("f64[2]").values({1, 1});
  expect(ops::linalg_solve_ex(singular(), f64({2}, {1, 1})).info).meta("i32[]").values({2});
  expect(ops::linalg_lu_factor(regular()).pivots).values({2, 2});
}
TEST(NamedFactors, RefuseSingularMatrices) {
  const auto refused = [](auto&& f) { expect_refused(f, ErrorFamily::Runtime, "_linalg_check_errors.value"); };
  refused([] { ops::linalg_inv(singular()); });
  refused([] { ops::linalg_solve(singular(), f64({2}, {1, 1})); });
  refused([] { ops::linalg_lu_factor(singular()); });
  refused([] { ops::linalg_cholesky(regular()); });
}
OP_TEST(Logdet, OfANegativeDeterminantIsNan) {
  expect(ops::logdet(regular())).values({std::numeric_limits<double>::quiet_NaN()});
  expect(ops::logdet(f64({1, 1}, {2}))).values({0.6931471805599453});
}

}  // namespace
}  // namespace ersatz
