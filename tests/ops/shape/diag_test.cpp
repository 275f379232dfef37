#include "kernels/shape/diag.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(Diag, PutsAVectorOnADiagonal) {
  expect(ops::diag(i64({2}, {1, 2}), 1)).meta("i64[3,3]").values({0, 1, 0, 0, 0, 2, 0, 0, 0});
}
OP_TEST(Diag, CopiesADiagonalOfAMatrix) {
  const Tensor x = ramp("f32[2,3]");
  expect(ops::diag(x, 1)).meta("f32[2]{1}+0").values({1, 5});
  EXPECT_FALSE(ops::diag(x).shares_storage(x));
}
OP_TEST(DiagEmbed, PutsEachRowIntoAMatrix) {
  expect(ops::diag_embed(i64({2, 2}, {1, 2, 3, 4}))).meta("i64[2,2,2]").values({1, 0, 0, 2, 3, 0, 0, 4});
  expect(ops::diag_embed(i64({2, 2}, {1, 2, 3, 4}), -1, 0, 2)).meta("i64[3,2,3]");
}
OP_TEST(Diagflat, TakesElementsInRowMajorOrder) {
  expect(ops::diagflat(ramp("f32[2,1]{1,2}"))).meta("f32[2,2]").values({0, 0, 0, 1});
}
OP_TEST(Trace, SumsTheDiagonal) {
  expect(ops::trace(ramp("f32[2,3]{1,2}"))).meta("f32[]").values({4});
  expect(ops::trace(boolean({2, 2}, {1, 0, 0, 1}))).meta("i64[]").values({2});
}
OP_TEST(BlockDiag, PutsMatricesCornerToCorner) {
  const Tensor list[] = {i64({1, 2}, {1, 2}), i64({1}, {3}), i64({}, {4})};
  expect(ops::block_diag(list)).meta("i64[3,4]").values({1, 2, 0, 0, 0, 0, 3, 0, 0, 0, 0, 4});
}
OP_TEST(Diag, Refuses) {
  const Tensor x = ramp("f32[2,3,4]");
  const Tensor list[] = {x};
  expect_refused([&] { ops::diag(x); }, ErrorFamily::Runtime, "diag.C1");
  expect_refused([&] { ops::diag_embed(x, 0, 1, 1); }, ErrorFamily::Runtime, "diag_embed.C1");
  expect_refused([&] { ops::trace(x); }, ErrorFamily::Runtime, "trace.C1");
  expect_refused([&] { ops::block_diag(list); }, ErrorFamily::Runtime, "block_diag.C1");
}

}  // namespace
}  // namespace ersatz
