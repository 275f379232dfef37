#include "kernels/creation/vander.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(Vander, ListsPowersDownToZero) {
  expect(ops::vander(f32({2}, {2, 3}), 3)).meta("f32[2,3]").values({4, 2, 1, 9, 3, 1});
  expect(ops::vander(i64({2}, {2, 3}), 3, true)).meta("i64[2,3]").values({1, 2, 4, 1, 3, 9});
}
OP_TEST(Vander, Refuses) {
  const Tensor x = ramp("f32[2]"), matrix = ramp("f32[2,3]");
  expect_refused([&] { ops::vander(matrix); }, ErrorFamily::Runtime, "vander.C1");
  expect_refused([&] { ops::vander(x, -1); }, ErrorFamily::Runtime, "vander.C2");
}
TEST(Combinations, PicksElementsInOrder) {
  expect(ops::combinations(i64({3}, {1, 2, 3}))).meta("i64[3,2]").values({1, 2, 1, 3, 2, 3});
  expect(ops::combinations(i64({2}, {1, 2}), 2, true)).values({1, 1, 1, 2, 2, 2});
}
OP_TEST(Combinations, Refuses) {
  const Tensor x = ramp("f32[2]"), matrix = ramp("f32[2,3]");
  expect_refused([&] { ops::combinations(matrix); }, ErrorFamily::Runtime, "combinations.C1");
  expect_refused([&] { ops::combinations(x, -1); }, ErrorFamily::Runtime, "combinations.C2");
}

}  // namespace
}  // namespace ersatz
