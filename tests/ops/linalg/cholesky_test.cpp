#include "kernels/linalg/cholesky.h"

#include "kernels/linalg/named_factors.h"
#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

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
}  // namespace
}  // namespace ersatz
