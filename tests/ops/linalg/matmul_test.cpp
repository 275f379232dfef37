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

OP_TEST(Linear, RefusesScalars) {
  expect_refused([] { ops::linear(ramp("f32[]"), ramp("f32[3,2]")); }, ErrorFamily::Runtime, "linear.C1");
}

}  // namespace
}  // namespace ersatz
