#include "kernels/shape/repeat_interleave.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

TEST(RepeatInterleave, NamesEachIndexSoOften) {
  expect(ops::repeat_interleave(i64({3}, {1, 0, 2}))).meta("i64[3]").values({0, 2, 2});
}
TEST(RepeatInterleave, RepeatsSlicesByATensor) {
  expect(ops::repeat_interleave(ramp("f32[2,2]"), i64({2}, {1, 2}), 1)).meta("f32[2,3]").values({0, 1, 1, 2, 3, 3});
  expect(ops::repeat_interleave(ramp("f32[2,2]{1,2}"), i64({}, {2}))).values({0, 0, 1, 1, 2, 2, 3, 3});
}
OP_TEST(RepeatInterleave, RepeatsSlicesByANumber) {
  expect(ops::repeat_interleave(ramp("f32[2,2]{1,2}"), SymInt(2), 0))
      .meta("f32[4,2]{2,1}")
      .values({0, 1, 0, 1, 2, 3, 2, 3});
  expect(ops::repeat_interleave(ramp("f32[]"), SymInt(3))).meta("f32[3]");
}
TEST(RepeatInterleave, RefusesValues) {
  expect_refused([] { ops::repeat_interleave(i64({1}, {-1})); }, ErrorFamily::Runtime, "repeat_interleave.value");
  expect_refused(
      [] {
        call(op_named("aten.repeat_interleave.Tensor"), {{i64({1}, {2})}}, {{{"output_size", 3}}});
      },
      ErrorFamily::Runtime, "repeat_interleave.value");
}
OP_TEST(RepeatInterleave, Refuses) {
  const Tensor x = ramp("f32[2,3]");
  expect_refused([&] { ops::repeat_interleave(ramp("i64[]")); }, ErrorFamily::Runtime, "repeat_interleave.C1");
  expect_refused([&] { ops::repeat_interleave(x, ramp("i64[2]"), 1); }, ErrorFamily::Runtime, "repeat_interleave.C2");
  expect_refused([&] { ops::repeat_interleave(x, SymInt(-1)); }, ErrorFamily::Runtime, "repeat_interleave.C3");
}

}  // namespace
}  // namespace ersatz
