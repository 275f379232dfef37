#include "kernels/shape/diag.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(Diag, CopiesADiagonalOfAMatrix) {
  const Tensor x = ramp("f32[2,3]");
  expect(ops::diag(x, 1)).meta("f32[2]{1}+0").values({1, 5});
  EXPECT_FALSE(ops::diag(x).shares_storage(x));
}
}  // namespace
}  // namespace ersatz
