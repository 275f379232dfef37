#include "kernels/shape/cat.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

std::vector<Tensor> list(std::initializer_list<Tensor> tensors) { return tensors; }

OP_TEST(Cat, JoinsAlongADim) {
  expect(ops::cat(list({make("f32[2,1]", {1, 2}), make("f32[2,2]", {3, 4, 5, 6})}), 1))
      .meta("f32[2,3]")
      .values({1, 3, 4, 2, 5, 6});
}
OP_TEST(Cat, PromotesDtypes) {
  expect(ops::cat(list({make("i64[2]", {1, 2}), make("f16[1]", {0.5})}))).meta("f16[3]").values({1, 2, 0.5});
}
OP_TEST(Cat, SkipsOneDimTensorsOfSizeZeroButForTheirDtypeAndLayout) {
  expect(ops::cat(list({make("f64[0]"), ramp("f32[1,2]")}), -1)).meta("f64[1,2]").values({0, 1});
  expect(ops::cat(list({make("f32[0]"), ramp("f32[1,2,2,2]{8,1,4,2}")}))).meta("f32[1,2,2,2]{8,4,2,1}");
}
OP_TEST(Cat, OfNothingButSkippedTensorsIsEmpty) {
  expect(ops::cat(list({make("f32[0]"), make("f32[0]")}), 1)).meta("f32[0]");
}
OP_TEST(Cat, IsChannelsLastWhereEveryInputIs) {
  Tensor last = ramp("f32[1,2,2,2]{8,1,4,2}"), rows = ramp("f32[1,2,2,2]");
  expect(ops::cat(list({last, last}), 1))
      .meta("f32[1,4,2,2]{16,1,8,4}")
      .values({0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7});
  expect(ops::cat(list({last, rows}), 1)).meta("f32[1,4,2,2]{16,4,2,1}");
}
OP_TEST(Cat, WritesIntoOutOfAnyLayout) {
  Tensor out = make("f32[2,2]{1,2}", {0, 0, 0, 0});
  Tensor x = ramp("f32[1,2]");
  run("aten.cat.out", {Value::list(std::vector<Value>{x, x})}, {{"out", out}});
  expect(out).meta("f32[2,2]{1,2}").values({0, 1, 0, 1});
}
OP_TEST(Cat, CastsItsResultToOut) {
  Tensor out = make("f64[0]"), x = ramp("i32[2]");
  run("aten.cat.out", {Value::list(std::vector<Value>{x, x})}, {{"out", out}});
  expect(out).meta("f64[4]").values({0, 1, 0, 1});
}
OP_TEST(Cat, RefusesAnOutThatCannotHoldItsResult) {
  Tensor out = make("i32[4]"), x = ramp("f32[2]");
  expect_refused(
      [&] {
        run("aten.cat.out", {Value::list(std::vector<Value>{x, x})}, {{"out", out}});
      },
      ErrorFamily::Type, "cat.result_type");
}
OP_TEST(Cat, RefusesAnOutWhoseElementsShareMemory) {
  Tensor out = make_view(make("f32[1]"), parse_meta("f32[4]{0}")), x = ramp("f32[2]");
  expect_refused(
      [&] {
        run("aten.cat.out", {Value::list(std::vector<Value>{x, x})}, {{"out", out}});
      },
      ErrorFamily::Runtime, "cat.overlap");
}
OP_TEST(Cat, RefusesNothing) {
  expect_refused([] { ops::cat({}); }, ErrorFamily::Value, "cat.C1");
}
OP_TEST(Cat, RefusesTensorsWithoutDims) {
  Tensor x = ramp("f32[]");
  expect_refused([&] { ops::cat(list({x})); }, ErrorFamily::Runtime, "cat.C2");
}
OP_TEST(Cat, RefusesOtherSizesElsewhere) {
  Tensor x = ramp("f32[2,3]"), y = ramp("f32[4,4]"), z = ramp("f32[2]");
  expect_error([&] { ops::cat(list({x, y})); }, "cat.C3", "dim 1: 3 vs 4");
  expect_refused([&] { ops::cat(list({x, z})); }, ErrorFamily::Runtime, "cat.C3");
}

}  // namespace
}  // namespace ersatz
