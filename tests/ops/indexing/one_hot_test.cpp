#include "kernels/indexing/one_hot.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

TEST(OneHot, HasAOneAtTheClass) {
  expect(ops::one_hot(i64({2}, {2, 0}), 3)).meta("i64[2,3]").values({0, 0, 1, 1, 0, 0});
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
