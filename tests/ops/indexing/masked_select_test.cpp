#include "kernels/indexing/masked_select.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

TEST(MaskedSelect, PicksWhatIsTrueInRowMajorOrder) {
  expect(ops::masked_select(ramp("f32[2,3]{1,2}"), make("bool[3]", {1, 0, 1}))).meta("f32[4]").values({0, 2, 3, 5});
  expect(ops::masked_select(ramp("f32[2]"), make("bool[2,1]", {0, 1}))).values({0, 1});
}
TEST(MaskedSelect, ResizesOut) {
  Tensor x = ramp("f32[3]"), mask = make("bool[3]", {0, 1, 1}), out = f32({0}), wide = make("f64[2]");
  expect(run("aten.masked_select.out", {x, mask}, {{"out", out}})).is(out).meta("f32[2]").values({1, 2});
  expect_refused(
      [&] {
        run("aten.masked_select.out", {x, mask}, {{"out", wide}});
      },
      ErrorFamily::Runtime, "masked_select.out_dtype");
}
OP_TEST(MaskedSelect, RefusesOtherMasks) {
  Tensor x = ramp("f32[2]"), bytes = ramp("u8[2]"), three = make("bool[3]");
  expect_refused([&] { ops::masked_select(x, bytes); }, ErrorFamily::Runtime, "masked_select.C1");
  expect_refused([&] { ops::masked_select(x, three); }, ErrorFamily::Runtime, "masked_select.C2");
}

}  // namespace
}  // namespace ersatz
