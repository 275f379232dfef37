#include "kernels/indexing/nonzero.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

TEST(NonzeroValues, GivesARowAnElementInColumnMajorMemory) {
  expect(ops::nonzero(make("f32[2,3]", {0, 1, 0, 2, 0, 3}))).meta("i64[3,2]{1,3}").values({0, 1, 1, 0, 1, 2});
}
TEST(NonzeroValues, OfNothingIsEmpty) {
  expect(ops::nonzero(make("bool[2]", {0, 0}))).meta("i64[0,1]");
  expect(ops::nonzero(make("f32[0,3]"))).meta("i64[0,2]");
}
TEST(NonzeroValues, OfAZeroDimTensorHasRowsWithoutColumns) {
  expect(ops::nonzero(make("f32[]", {2}))).meta("i64[1,0]{1,1}");
}
OP_TEST(Nonzero, HasNoAnswerUnderFakeMode) {
  Tensor x = ramp("f32[3]");
  if (!is_fake_run()) return;
  try {
    ops::nonzero(x);
    ADD_FAILURE() << "a fake has no values to count";
  } catch (const Error& e) {
    EXPECT_EQ(e.kind, ErrorKind::DynamicOutputShape) << e.message;
  }
}

}  // namespace
}  // namespace ersatz
