#include "kernels/indexing/nonzero.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

// BEY-34: the kernel writes its coordinates column by column, so the result has column-major strides.
TEST(NonzeroValues, GivesRowElementInColumnMajorMemory) {
  expect(ops::nonzero(make("f32[2,3]", {0, 1, 0, 2, 0, 3}))).meta("i64[3,2]{1,3}").values({0, 1, 1, 0, 1, 2});
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

TEST(Nonzero, WritesToAGivenTensor) {
  const Tensor out = i64({0}, {});
  const Values written = call(op_named("aten.nonzero.out"), {{i64({3}, {0, 5, 6})}}, {{{"out", out}}});
  EXPECT_TRUE(written[0].tensor().is(out));
  expect(out).meta("i64[2,1]{1,2}").values({1, 2});
}

OP_TEST(NonzeroStatic, CutsAndFills) {
  expect(ops::nonzero_static(i64({3}, {0, 5, 6}), 1)).meta("i64[1,1]").values({1});
  expect(ops::nonzero_static(i64({3}, {0, 5, 6}), 3, 9)).meta("i64[3,1]").values({1, 2, 9});
}
TEST(NonzeroStatic, IsColumnMajorOnCuda) {
  const auto found = [](int64_t size) {
    return rule_answer("aten.nonzero_static.default", {Value(shape_only("f32[5,1,5]@cuda:0"))},
                       {{"size", Value(size)}});
  };
  EXPECT_EQ(found(4), "i64[4,3]{1,4}+0@cuda:0");
  EXPECT_EQ(found(0), "i64[0,3]{1,1}+0@cuda:0");
}
OP_TEST(NonzeroStatic, RefusesANegativeSize) {
  const Tensor x = ramp("f32[2]");
  expect_refused([&] { ops::nonzero_static(x, -1); }, ErrorFamily::Runtime, "nonzero_static.C1");
}

}  // namespace
}  // namespace ersatz
