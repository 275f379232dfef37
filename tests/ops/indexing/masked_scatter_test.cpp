#include "kernels/indexing/masked_scatter.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(MaskedScatter, WritesElementsInOrder) {
  expect(ops::masked_scatter(ramp("f32[2,2]{1,2}"), boolean({2, 2}, {1, 0, 1, 1}), f32({3}, {7, 8, 9})))
      .meta("f32[2,2]{2,1}")
      .values({7, 1, 8, 9});
}
OP_TEST(MaskedScatter, BroadcastsMaskAndSelf) {
  expect(ops::masked_scatter(ramp("f32[2]"), boolean({2, 1}, {0, 1}), f32({2}, {8, 9})))
      .meta("f32[2,2]")
      .values({0, 1, 8, 9});
}
OP_TEST(MaskedScatter, WritesInPlace) {
  const Tensor x = ramp("f32[3]");
  EXPECT_TRUE(ops::masked_scatter_(x, boolean({3}, {0, 1, 0}), f32({1}, {9})).is(x));
  expect(x).values({0, 9, 2});
}
OP_TEST(MaskedScatter, Refuses) {
  const Tensor x = ramp("f32[2]"), mask = boolean({2}, {1, 1});
  expect_refused([&] { ops::masked_scatter(x, ramp("u8[2]"), x); }, ErrorFamily::Runtime, "masked_scatter.C1");
  expect_refused(
      [&] {
        ops::masked_scatter(x, boolean({3}, {1, 1, 1}), x);
      },
      ErrorFamily::Runtime, "masked_scatter.C2");
  expect_refused([&] { ops::masked_scatter(x, mask, ramp("f64[2]")); }, ErrorFamily::Runtime, "masked_scatter.C3");
  expect_refused([&] { ops::masked_scatter_(ramp("f32[2]{0}"), mask, x); }, ErrorFamily::Runtime, "masked_scatter_.C4");
}
TEST(MaskedScatter, RefusesASourceOfTooFewElements) {
  expect_refused(
      [] {
        ops::masked_scatter(ramp("f32[2]"), boolean({2}, {1, 1}), ramp("f32[1]"));
      },
      ErrorFamily::Runtime, "masked_scatter.value");
}

}  // namespace
}  // namespace ersatz
