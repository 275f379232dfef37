#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

TEST(FusedDropout, ScalesWhatItsMaskKeeps) {
  const Tensor x = f32({100}, std::vector<double>(100, 3));
  const Values r = call("aten._fused_dropout.default", {x, 0.25});
  const auto out = elements(r[0].tensor()), mask = elements(r[1].tensor());
  for (size_t i = 0; i < 100; ++i) EXPECT_EQ(out[i].real(), 12 * mask[i].real()) << i;
}
OP_TEST(FusedDropout, HasTheLayoutOfItsInputAndAMaskOfBytes) {
  const Values r = call("aten._fused_dropout.default", {make("f32[2,3]{1,2}"), 0.5});
  expect(r[0].tensor()).meta("f32[2,3]{1,2}");
  expect(r[1].tensor()).meta("u8[2,3]{1,2}");
}
OP_TEST(MaskedScale, IsRowMajor) {
  expect(run("aten._masked_scale.default", {make("f32[2,2]{1,2}", {1, 2, 3, 4}), make("u8[2,2]", {1, 0, 0, 1}), 2.0}))
      .meta("f32[2,2]")
      .values({2, 0, 0, 8});
}

}  // namespace
}  // namespace ersatz
