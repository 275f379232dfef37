#include "kernels/linalg/matmul.h"

#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

OP_TEST(Matmul, ChoosesByRank) {
  expect(ops::matmul(ramp("f32[3]"), ramp("f32[3]"))).meta("f32[]{}+0@cpu").values({5});
  expect(ops::matmul(ramp("f32[2,3]"), ramp("f32[3]"))).meta("f32[2]{1}+0@cpu").values({5, 14});
  expect(ops::matmul(ramp("f32[2]"), ramp("f32[2,2]"))).meta("f32[2]{1}+0@cpu").values({2, 3});
  expect(ops::matmul(ramp("f32[2,2]"), ramp("f32[2,2]"))).meta("f32[2,2]{2,1}+0@cpu").values({2, 3, 6, 11});
}

OP_TEST(Matmul, FoldsABatchOntoOneMatrix) {
  expect(ops::matmul(ramp("f32[2,1,2]"), ramp("f32[2,2]"))).meta("f32[2,1,2]{2,2,1}+0@cpu").values({2, 3, 6, 11});
}

OP_TEST(Matmul, BroadcastsBatches) {
  expect(ops::matmul(ramp("f32[2,1,1,2]"), ramp("f32[2,2,1]")))
      .meta("f32[2,2,1,1]{2,1,1,1}+0@cpu")
      .values({1, 3, 3, 13});
}

OP_TEST(Matmul, RefusesWhatDoesNotFit) {
  expect_refused([] { ops::matmul(ramp("f32[]"), ramp("f32[3]")); }, ErrorFamily::Runtime, "matmul.C1");
  expect_refused([] { ops::matmul(ramp("f32[2,2,2]"), ramp("f32[3,2,2]")); }, ErrorFamily::Runtime, "matmul.C2");
  expect_refused([] { ops::matmul(ramp("f32[2,2]"), ramp("f32[3,2]")); }, ErrorFamily::Runtime, "mm.C2");
}

OP_TEST(Linear, MultipliesByTheTransposedWeight) {
  expect(ops::linear(ramp("f32[1,2,2]"), ramp("f32[3,2]"), ramp("f32[3]")))
      .meta("f32[1,2,3]{6,3,1}+0@cpu")
      .values({1, 4, 7, 3, 14, 25});
  expect(ops::linear(ramp("f32[2]"), ramp("f32[3,2]"))).meta("f32[3]{1}+0@cpu").values({1, 3, 5});
}

// As eager, which gives addmm what looks like a row.
OP_TEST(Linear, AddsABiasOfSeveralRowsToTheProduct) {
  const Tensor x = ramp("f32[2,2,1]"), w = ramp("f32[2,1]");
  expect(ops::linear(x, w, ramp("f32[2,2]"))).meta("f32[2,2,2]").values({0, 1, 2, 4, 0, 3, 2, 6});
  expect_error([&] { ops::linear(x, w, ramp("f32[2,1]")); }, "addmm.C4");
  expect(ops::linear(ramp("f32[2,2,1]{1,2,1}"), w, ramp("f32[2,1]"))).values({0, 0, 1, 2, 0, 2, 1, 4});
  expect_error([&] { ops::linear(ramp("f32[1]"), w, ramp("f32[2,2]")); }, "add_.inplace_size");
}
OP_TEST(Linear, RefusesScalars) {
  expect_refused([] { ops::linear(ramp("f32[]"), ramp("f32[3,2]")); }, ErrorFamily::Runtime, "linear.C1");
}

Tensor written(const char* a, const char* b, const Tensor& out) {
  return run("aten.matmul.out", {ramp(a), ramp(b)}, {{"out", out}});
}
OP_TEST(MatmulOut, WritesByRank) {
  const Tensor strided = ramp("f32[2]{2}"), resized = ramp("f32[0]"), folded = ramp("f32[2,1,2]{4,2,1}");
  expect(written("f32[2,3]", "f32[3]", strided)).is(strided).meta("f32[2]{2}").values({5, 14});
  expect(written("f32[2,2]", "f32[2,2]", resized)).is(resized).meta("f32[2,2]").values({2, 3, 6, 11});
  expect(written("f32[2,1,2]", "f32[2,2]", folded)).is(folded).meta("f32[2,1,2]{4,2,1}").values({2, 3, 6, 11});
  expect(written("f32[2,1,1,2]", "f32[2,2,1]", ramp("f32[2,2,1,1]{1,2,1,1}")))
      .meta("f32[2,2,1,1]{1,2,1,1}")
      .values({1, 3, 3, 13});
}
// A row times a matrix is made as a matrix of one row.
OP_TEST(MatmulOut, OfARowIsLaidOutAnew) {
  expect(written("f32[2]", "f32[2,2]", ramp("f32[2]{2}"))).meta("f32[2]{1}").values({2, 3});
}
OP_TEST(MatmulOut, OfAFoldedBatchHasDimsThatFold) {
  EXPECT_THROW(written("f32[2,3,2]", "f32[2,2]", ramp("f32[2,3,2]{1,2,6}")), Error);
  expect(written("f32[2,1,2]", "f32[2,2]", ramp("f32[2,1,2]{1,2,2}"))).values({2, 3, 6, 11});
}
OP_TEST(MatmulOut, MayShareMemoryWhereNothingIsCopied) {
  expect(written("u8[2,2,0]", "u8[0,2]", ramp("u8[2,2,2]{2,1,0}"))).meta("u8[2,2,2]{2,1,0}");
  expect(written("f32[2,3]", "f32[3]", ramp("f32[2]{0}"))).meta("f32[2]{0}");
  expect(written("f32[2,1,2]", "f32[2,2,1]", ramp("f32[2,1,1]{0,1,1}"))).meta("f32[2,1,1]{0,1,1}");
  expect_refused([] { written("f32[2,2,1]", "f32[1,2]", ramp("f32[2,2,2]{2,1,0}")); }, ErrorFamily::Runtime,
                 "mm.overlap");
}
OP_TEST(LinearOut, AddsTheBiasInPlace) {
  const auto linear = [](const char* input, const Tensor& out) {
    return run("aten.linear.out", {ramp(input), ramp("f32[3,2]"), ramp("f32[3]")}, {{"out", out}});
  };
  const Tensor out = ramp("f32[1,2,3]");
  expect(linear("f32[1,2,2]", out)).is(out).values({1, 4, 7, 3, 14, 25});
  expect(linear("f32[2,2]", ramp("f32[0]"))).meta("f32[2,3]").values({1, 4, 7, 3, 14, 25});
  EXPECT_THROW(linear("f32[2,2,2]", ramp("f32[2,2,3]{1,2,4}")), Error);
}

}  // namespace
}  // namespace ersatz
