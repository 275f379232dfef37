#include "kernels/sorting/unique.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

// BEY-34
TEST(Unique, AnswersValuesInverseAndCounts) {
  const ops::UniqueResult r = ops::unique(i64({2, 3}, {3, 1, 3, 2, 1, 3}), true, true);
  expect(r.values).meta("i64[3]").values({1, 2, 3});
  expect(r.inverse).meta("i64[2,3]").values({2, 0, 2, 1, 0, 2});
  expect(r.counts).meta("i64[3]").values({2, 1, 3});
}
// BEY-34
TEST(Unique, UnrequestedResultsAreEmptyI64) {
  const ops::UniqueResult r = ops::unique(make("f16[3]", {2, 1, 2}));
  expect(r.values).meta("f16[2]").values({1, 2});
  expect(r.inverse).meta("i64[0]");
  expect(r.counts).meta("i64[0]");
}
TEST(Unique, NanDiffersFromNan) {
  expect(ops::unique(f32({4}, {NAN, 1, NAN, 1})).values).meta("f32[3]").values({1, NAN, NAN});
}
TEST(Unique, OfNothingIsNothing) {
  const ops::UniqueResult r = ops::unique(f32({2, 0}), true, true);
  expect(r.values).meta("f32[0]");
  expect(r.inverse).meta("i64[2,0]");
}
}  // namespace
}  // namespace ersatz
