#include "kernels/indexing/one_hot.h"

#include "fake/mode/fake_mode.h"
#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

TEST(OneHot, HasAOneAtTheClass) {
  expect(ops::one_hot(i64({2}, {2, 0}), 3)).meta("i64[2,3]").values({0, 0, 1, 1, 0, 0});
}
TEST(OneHot, KnowsItsSizesWithoutValuesWhereTheClassesAreCounted) {
  EXPECT_EQ(rule_answer("aten.one_hot.default", {Value(shape_only("i64[2,3]{1,2}@cuda:0")), Value(4)}),
            "i64[2,3,4]{12,4,1}+0@cuda:0");
  const FakeMode mode;
  EXPECT_EQ(to_string(ops::one_hot(mode.make(parse_meta("i64[2]")), 5).meta()), "i64[2,5]{5,1}+0@cpu");
  EXPECT_THROW(ops::one_hot(mode.make(parse_meta("i64[2]"))), Error);
}
TEST(OneHot, CountsTheClassesThatOccur) {
  expect(ops::one_hot(i64({2}, {1, 0}))).meta("i64[2,2]").values({0, 1, 1, 0});
}
TEST(OneHot, RefusesAValueThatIsNoClass) {
  expect_refused([] { ops::one_hot(i64({1}, {3}), 3); }, ErrorFamily::Runtime, "one_hot.value");
}
OP_TEST(OneHot, Refuses) {
  expect_refused([] { ops::one_hot(ramp("f32[2]"), 3); }, ErrorFamily::Runtime, "one_hot.C1");
  expect_refused([] { ops::one_hot(ramp("i64[0]")); }, ErrorFamily::Runtime, "one_hot.C2");
  expect_refused([] { ops::one_hot(ramp("i64[2]"), 0); }, ErrorFamily::Runtime, "one_hot.C3");
}

}  // namespace
}  // namespace ersatz
