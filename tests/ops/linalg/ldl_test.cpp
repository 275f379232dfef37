#include "kernels/linalg/ldl.h"

#include "kernels/linalg/matmul.h"
#include "kernels/linalg/named_factors.h"
#include "tests/ops/op_test.h"

namespace ersatz {
namespace {

TEST(LinalgLdlSolve, TellsHermitianFromSymmetric) {
  const Tensor a = make("c128[2,2]", {1, 0, 0, 2}), b = make("c128[2,1]", {3, 4});
  const std::complex<double> i(0, 1);
  std::complex<double>* elements = a.data<std::complex<double>>();
  elements[2] = -i;
  for (const bool hermitian : {true, false}) {
    elements[1] = hermitian ? i : -i;
    const auto [ld, pivots, info] = ops::linalg_ldl_factor_ex(a, hermitian);
    expect(ops::matmul(a, ops::linalg_ldl_solve(ld, pivots, b, hermitian))).values({3, 4});
  }
}
TEST(LinalgLdlSolve, RefusesPivotsThatNameNoRows) {
  for (const double second : {0.0, 3.0, -1.0}) {
    const Tensor ld = f64({2, 2}, {2, 0, 0, 2}), b = f64({2, 1}, {1, 1}), pivots = make("i32[2]", {1, second});
    expect_refused([&] { ops::linalg_ldl_solve(ld, pivots, b); }, ErrorFamily::Runtime, "linalg_ldl_solve.value");
  }
}

}  // namespace
}  // namespace ersatz
