#include "kernels/indexing/bincount.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

TEST(Bincount, CountsEachNumber) {
  expect(run("aten.bincount.default", {i64({4}, {1, 3, 1, 0})})).meta("i64[4]").values({1, 2, 0, 1});
  expect(run("aten.bincount.default", {i64({1}, {1}), Value(), 4})).meta("i64[4]").values({0, 1, 0, 0});
}
TEST(Bincount, AddsWeights) {
  const Tensor x = i64({3}, {1, 0, 1});
  expect(run("aten.bincount.default", {x, f32({3}, {1, 2, 4})})).meta("f32[2]").values({2, 5});
  expect(run("aten.bincount.default", {x, i64({3}, {1, 2, 4})})).meta("f64[2]").values({2, 5});
}
OP_TEST(Bincount, OfNothingIsKnown) {
  expect(run("aten.bincount.default", {ramp("i64[0]"), ramp("f32[2]"), 3})).meta("i64[3]").values({0, 0, 0});
}
TEST(Bincount, RefusesNegativeNumbers) {
  expect_refused([] { run("aten.bincount.default", {i64({2}, {1, -1})}); }, ErrorFamily::Runtime, "bincount.value");
}
TEST(Bincount, PutsCountsIntoOut) {
  const Tensor out = ramp("i64[3,2]");
  expect(run("aten.bincount.out", {i64({2}, {1, 2})}, {{"out", out}})).is(out).meta("i64[3]").values({0, 1, 1});
}

}  // namespace
}  // namespace ersatz
