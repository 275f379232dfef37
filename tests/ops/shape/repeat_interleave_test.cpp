#include "kernels/shape/repeat_interleave.h"

#include "fake/mode/fake_mode.h"
#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

TEST(RepeatInterleave, KnowsASizeThatIsPromised) {
  const FakeMode mode;
  const Tensor repeats = mode.make(parse_meta("i64[2]@cuda:0")), x = mode.make(parse_meta("f32[2,3]@cuda:0"));
  EXPECT_EQ(to_string(ops::repeat_interleave(x, repeats, 0, SymInt(7)).meta()), "f32[7,3]{3,1}+0@cuda:0");
  EXPECT_THROW(ops::repeat_interleave(x, repeats, 0), Error);
  EXPECT_THROW(ops::repeat_interleave(x, repeats, 0, SymInt(-1)), Error);
}
TEST(RepeatInterleave, WritesAsManyIndicesAsPromisedIntoOut) {
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
}  // namespace
}  // namespace ersatz
