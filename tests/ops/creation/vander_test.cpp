#include "kernels/creation/vander.h"

#include "fake/mode/fake_mode.h"
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
TEST(Combinations, HasASizeThatDependsOnNoValue) {
  const FakeMode mode;
  const auto chosen = [&](const char* meta, int64_t r, bool with_replacement) {
    return to_string(ops::combinations(mode.make(parse_meta(meta)), r, with_replacement).meta());
  };
  EXPECT_EQ(chosen("f32[5]", 3, false), "f32[10,3]{3,1}+0@cpu");
  EXPECT_EQ(chosen("f32[5]", 3, true), "f32[35,3]{3,1}+0@cpu");
  EXPECT_EQ(chosen("f32[2]", 3, false), "f32[0,3]{3,1}+0@cpu");
  EXPECT_EQ(chosen("f32[0]", 2, true), "f32[0,2]{2,1}+0@cpu");
  // Positions that CUDA finds lie dim by dim, and what they pick lies as they do.
  EXPECT_EQ(chosen("f32[4]@cuda:0", 2, false), "f32[6,2]{1,6}+0@cuda:0");
}
OP_TEST(Combinations, Refuses) {
  const Tensor x = ramp("f32[2]"), matrix = ramp("f32[2,3]");
  expect_refused([&] { ops::combinations(matrix); }, ErrorFamily::Runtime, "combinations.C1");
  expect_refused([&] { ops::combinations(x, -1); }, ErrorFamily::Runtime, "combinations.C2");
}

}  // namespace
}  // namespace ersatz
