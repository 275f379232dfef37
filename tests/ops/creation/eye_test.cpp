#include "kernels/creation/eye.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(Eye, HasOnesOnTheDiagonal) {
  expect(ops::eye(2)).meta("f32[2,2]").values({1, 0, 0, 1});
  expect(ops::eye(2, 3, {.dtype = DType::I64, .device = {}})).meta("i64[2,3]").values({1, 0, 0, 0, 1, 0});
  expect(ops::eye(0, 3)).meta("f32[0,3]");
}
OP_TEST(Eye, RefusesNegativeSizes) {
  expect_refused([] { ops::eye(2, -1); }, ErrorFamily::Runtime, "eye.C1");
}

}  // namespace
}  // namespace ersatz
