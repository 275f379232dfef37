#include "kernels/shape/repeat_interleave.h"

#include "fake/mode/fake_mode.h"
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
TEST(RepeatInterleave, KnowsASizeThatIsPromised) {
  const FakeMode mode;
  const Tensor repeats = mode.make(parse_meta("i64[2]@cuda:0")), x = mode.make(parse_meta("f32[2,3]@cuda:0"));
  EXPECT_EQ(to_string(ops::repeat_interleave(x, repeats, 0, SymInt(7)).meta()), "f32[7,3]{3,1}+0@cuda:0");
  EXPECT_THROW(ops::repeat_interleave(x, repeats, 0), Error);
  EXPECT_THROW(ops::repeat_interleave(x, repeats, 0, SymInt(-1)), Error);
}
TEST(RepeatInterleave, WritesAsManyIndicesAsPromisedIntoAnOut) {
  const auto written = [](const char* out) {
    return rule_answer("aten.repeat_interleave.Tensor_out", {Value(shape_only("i32[2]"))},
                       {{"output_size", Value(3)}, {"out", Value(shape_only(out))}});
  };
  EXPECT_EQ(written("i32[0]"), "i32[3]{1}+0@cpu");
  EXPECT_EQ(written("i32[3]{2}"), "i32[3]{2}+0@cpu");
}
TEST(RepeatInterleave, RefusesValues) {
  expect_refused([] { ops::repeat_interleave(i64({1}, {-1})); }, ErrorFamily::Runtime, "repeat_interleave.value");
  expect_refused(
      [] {
        call(op_named("aten.repeat_interleave.Tensor"), {{i64({1}, {2})}}, {{{"output_size", 3}}});
      },
      ErrorFamily::Runtime, "repeat_interleave.value");
}
TEST(RepeatInterleave, MakesNothingOfNoRepeatsWhateverIsPromised) {
  expect(call(op_named("aten.repeat_interleave.Tensor"), {{i64({0}, {})}}, {{{"output_size", 6}}})[0].tensor())
      .meta("i64[0]");
}
OP_TEST(RepeatInterleave, NamesTheDtypeBeforeTheRank) {
  expect_refused([&] { ops::repeat_interleave(ramp("f32[]")); }, ErrorFamily::NotImplemented, "");
}
OP_TEST(RepeatInterleave, Refuses) {
  const Tensor x = ramp("f32[2,3]");
  expect_refused([&] { ops::repeat_interleave(ramp("i64[]")); }, ErrorFamily::Runtime, "repeat_interleave.C1");
  expect_refused([&] { ops::repeat_interleave(x, ramp("i64[2]"), 1); }, ErrorFamily::Runtime, "repeat_interleave.C2");
  expect_refused([&] { ops::repeat_interleave(x, SymInt(-1)); }, ErrorFamily::Runtime, "repeat_interleave.C3");
}

}  // namespace
}  // namespace ersatz
