#include "kernels/linalg/outer.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(Outer, MultipliesEachElementByEach) {
  expect(ops::outer(i64({3}, {1, 2, 3}), i64({2}, {4, 5}))).meta("i64[3,2]").values({4, 5, 8, 10, 12, 15});
}
OP_TEST(Outer, PromotesAsAProductDoes) {
  expect(ops::outer(i64({2}, {1, 2}), f32({1}, {0.5}))).meta("f32[2,1]").values({0.5, 1});
  expect(ops::outer(boolean({1}, {1}), boolean({2}, {1, 0}))).meta("bool[1,2]").values({1, 0});
}
OP_TEST(Outer, IsRowMajorWhateverTheStridesOfTheVectors) {
  expect(ops::outer(ramp("f32[3]{2}"), ramp("f32[4]{0}"))).meta("f32[3,4]{4,1}");
}
OP_TEST(Outer, OfAnEmptyVectorIsEmpty) { expect(ops::outer(f32({3}), f32({0}))).meta("f32[3,0]"); }
OP_TEST(Outer, WritesIntoTheLayoutOfAFittingOut) {
  const Tensor out = ramp("i64[3,2]{1,3}");
  expect(run("aten.outer.out", {i64({3}, {1, 2, 3}), i64({2}, {4, 5})}, {{"out", out}})).is(out);
  expect(out).meta("i64[3,2]{1,3}").values({4, 5, 8, 10, 12, 15});
}
OP_TEST(Outer, IsWhatGerCalls) {
  expect(ops::ger(i64({2}, {1, 2}), i64({2}, {3, 4}))).meta("i64[2,2]").values({3, 4, 6, 8});
}
OP_TEST(Outer, RefusesWhatIsNoVector) {
  const Tensor matrix = ramp("f32[2,2]"), vector = ramp("f32[2]");
  expect_refused([&] { ops::outer(matrix, vector); }, ErrorFamily::Runtime, "outer.C1");
  expect_refused([&] { ops::outer(vector, matrix); }, ErrorFamily::Runtime, "outer.C2");
}
OP_TEST(Outer, RefusesAnOutOfAnotherKind) {
  const Tensor vector = ramp("f32[2]"), out = ramp("i64[0]");
  expect_refused(
      [&] {
        run("aten.outer.out", {vector, vector}, {{"out", out}});
      },
      ErrorFamily::Runtime, "mul.result_type");
}

}  // namespace
}  // namespace ersatz
