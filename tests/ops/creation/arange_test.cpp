#include "kernels/creation/arange.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(Arange, OfIntsIsI64) {
  expect(ops::arange(4)).meta("i64[4]").values({0, 1, 2, 3});
  expect(ops::arange(5, 0, -2)).meta("i64[3]").values({5, 3, 1});
}
OP_TEST(Arange, OfAnyFloatIsTheDefaultDtype) {
  expect(ops::arange(2.5)).meta("f32[3]").values({0, 1, 2});
  expect(ops::arange(0, 1, 0.25)).meta("f32[4]").values({0, 0.25, 0.5, 0.75});
}
OP_TEST(Arange, CountsInDoubleAndTruncatesForAnIntegerDtype) {
  expect(ops::arange(5, 0, -1.5, {DType::I64})).meta("i64[4]").values({5, 4, 3, 2});
  expect(ops::arange(0, 1.5, 0.5, {DType::I32})).meta("i32[3]").values({0, 0, 0});
}
OP_TEST(Arange, TruncatesFirstForI64WithPyTorchBefore214) {
  const ContextGuard before([](RuleContext& c) { c.torch = {2, 13}; });
  expect(ops::arange(5.5, 0, -1.5, {DType::I64})).meta("i64[5]").values({5, 4, 3, 2, 1});
  expect(ops::arange(-0.5, 3, 1, {DType::I64})).meta("i64[3]").values({0, 1, 2});
  expect(ops::arange(-0.5, 3, 1, {DType::I32})).meta("i32[4]");
  expect_refused([] { ops::arange(0.5, 0.4, 1, {DType::I64}); }, ErrorFamily::Runtime, "arange.C3");
}
OP_TEST(Arange, CountsIntsExactly) { expect(ops::arange(INT64_MAX - 3, INT64_MAX)).meta("i64[3]"); }
OP_TEST(Arange, CountsOverTheWholeRangeModulo2To64) {
  expect(ops::arange(Scalar(INT64_MIN), Scalar(INT64_MIN + 2))).meta("i64[2]");
  expect(ops::arange(INT64_MAX - 2, INT64_MAX, 5)).meta("i64[1]");
  expect(ops::arange(Scalar(INT64_MIN), INT64_MAX, int64_t(1) << 62)).meta("i64[0]");
  expect_refused([] { ops::arange(0, INT64_MAX, int64_t(1) << 62); }, ErrorFamily::Runtime, "arange.C3");
  expect(ops::arange(0, INT64_MAX, int64_t(1) << 62, {DType::F64})).meta("f64[2]");
}
OP_TEST(Arange, WrapsInNarrowIntegers) {
  expect(ops::arange(254, 258, 1, {DType::U8})).meta("u8[4]").values({254, 255, 0, 1});
}
OP_TEST(Arange, IsEmptyWhereStartIsEnd) { expect(ops::arange(3, 3)).meta("i64[0]"); }
OP_TEST(Arange, OutOfTheRightNumberOfElementsKeepsItsShape) {
  Tensor out = make("f32[2,2]{1,2}", {9, 9, 9, 9});
  run("aten.arange.out", {4}, {{"out", out}});
  expect(out).meta("f32[2,2]{1,2}").values({0, 1, 2, 3});
}
OP_TEST(Arange, RefusesAStepOfZero) {
  expect_refused([] { ops::arange(0, 5, 0); }, ErrorFamily::Runtime, "arange.C1");
}
OP_TEST(Arange, RefusesBoundsThatAreNotFinite) {
  expect_refused([] { ops::arange(0, INFINITY); }, ErrorFamily::Runtime, "arange.C2");
}
OP_TEST(Arange, RefusesAStepThatIsNotFinite) {
  expect_refused([] { ops::arange(0, 5, INFINITY); }, ErrorFamily::Runtime, "arange.C2");
}
OP_TEST(Arange, RefusesAStepAwayFromTheEnd) {
  expect_refused([] { ops::arange(-5); }, ErrorFamily::Runtime, "arange.C3");
  expect_refused([] { ops::arange(-0.5); }, ErrorFamily::Runtime, "arange.C3");  // less than a step away, too
}
OP_TEST(Arange, RefusesComplexNumbers) {
  expect_refused([] { ops::arange(0, std::complex<double>(1, 2)); }, ErrorFamily::Runtime, "arange.C4");
}
TEST(ArangeDtypes, AreReal) { EXPECT_THROW(ops::arange(0, 5, 1, {DType::Bool}), Error); }

}  // namespace
}  // namespace ersatz
