#include "kernels/linalg/cholesky.h"

#include "kernels/linalg/named_factors.h"
#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(Cholesky, FactorsAreColumnMajorTriangles) {
  const Tensor a = f32({2, 2, 2}, {4, 2, 2, 5, 9, 3, 3, 17});
  auto [lower, info] = ops::linalg_cholesky_ex(a);
  expect(lower).meta("f32[2,2,2]{4,1,2}").values({2, 0, 1, 2, 3, 0, 1, 4});
  expect(info).meta("i32[2]").values({0, 0});
  expect(ops::linalg_cholesky(a, /*upper=*/true)).meta("f32[2,2,2]{4,1,2}").values({2, 1, 0, 2, 3, 1, 0, 4});
}
OP_TEST(Cholesky, OfComplexMatrices) {
  expect(ops::linalg_cholesky(make_complex("c128[2,2]", {{4, 0}, {0, -2}, {0, 2}, {5, 0}})))
      .meta("c128[2,2]{1,2}")
      .complex_values({{2, 0}, {0, 0}, {0, 1}, {2, 0}});
}
TEST(Cholesky, InfoSaysWhichMinorIsNotPositive) {
  auto [lower, info] = ops::linalg_cholesky_ex(f64({2, 2}, {1, 2, 2, 1}));
  expect(info).meta("i32[]").values({2});
  try {
    ops::linalg_cholesky(f64({2, 2}, {1, 2, 2, 1}));
    FAIL();
  } catch (const Error& e) {
    EXPECT_TRUE(e.value_failure);
    EXPECT_EQ(e.family, ErrorFamily::Runtime);
  }
}
OP_TEST(Cholesky, RefusesWhatHasNoFactor) {
  Tensor v = ramp("f32[2]"), m = ramp("f32[2,3]");
  expect_refused([&] { ops::linalg_cholesky_ex(v); }, ErrorFamily::Runtime, "linalg_cholesky_ex.C1");
  expect_refused([&] { ops::linalg_cholesky_ex(m); }, ErrorFamily::Runtime, "linalg_cholesky_ex.C2");
}

}  // namespace
}  // namespace ersatz
