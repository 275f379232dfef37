#include "kernels/creation/arange.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(Arange, TruncatesFirstForI64WithPyTorchBefore214) {
  const ContextGuard before([](RuleContext& c) { c.torch = {2, 13}; });
  expect(ops::arange(5.5, 0, -1.5, {DType::I64})).meta("i64[5]").values({5, 4, 3, 2, 1});
  expect(ops::arange(-0.5, 3, 1, {DType::I64})).meta("i64[3]").values({0, 1, 2});
  expect(ops::arange(-0.5, 3, 1, {DType::I32})).meta("i32[4]");
  expect_refused([] { ops::arange(0.5, 0.4, 1, {DType::I64}); }, ErrorFamily::Runtime, "arange.C3");
}
OP_TEST(Arange, OutOfTheRightCountKeepsItsShape) {
  Tensor out = make("f32[2,2]{1,2}", {9, 9, 9, 9});
  run("aten.arange.out", {4}, {{"out", out}});
  expect(out).meta("f32[2,2]{1,2}").values({0, 1, 2, 3});
}
TEST(ArangeDtypes, AreReal) { EXPECT_THROW(ops::arange(0, 5, 1, {DType::Bool}), Error); }

}  // namespace
}  // namespace ersatz
