#include "kernels/linalg/lu.h"

#include "kernels/linalg/matmul.h"
#include "tests/ops/op_test.h"

namespace ersatz {
namespace {

OP_TEST(LinalgLuSolve, OfComplexRowsIsALazyConjugate) {
  const auto [lu, pivots, info] = ops::linalg_lu_factor_ex(make("c128[1,1]", {2}));
  const Tensor rows = ops::linalg_lu_solve(lu, pivots, make("c128[2,1]", {4, 6}), false);
  expect(rows).values({2, 3});
  EXPECT_TRUE(rows.meta().conj);
  EXPECT_FALSE(ops::linalg_lu_solve(lu, pivots, make("c128[1,2]", {4, 6})).meta().conj);
}
OP_TEST(LinalgLuSolve, ComplexRowsMakeOutALazyConjugate) {
  const auto [lu, pivots, info] = ops::linalg_lu_factor_ex(make("c128[2,2]", {2, 0, 0, 2}));
  const Tensor b = make("c128[2,2]", {2, 4, 6, 8});
  const auto written = [&](const char* out) {
    const Tensor t = make(out);
    call_op<"aten.linalg_lu_solve.out">(lu, pivots, b, false, false, t);
    return t;
  };
  const Tensor rows = written("c128[2,2]"), resized = written("c128[0]"), columns = written("c128[2,2]{1,2}");
  for (const Tensor& t : {rows, resized, columns}) expect(t).values({1, 2, 3, 4});
  EXPECT_TRUE(rows.meta().conj);
  EXPECT_TRUE(resized.meta().conj);
  EXPECT_FALSE(columns.meta().conj);
}
}  // namespace
}  // namespace ersatz
