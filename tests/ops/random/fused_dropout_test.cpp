#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

TEST(FusedDropout, ScalesWhatItsMaskKeeps) {
  const Tensor x = f32({100}, std::vector<double>(100, 3));
  const Values r = call("aten._fused_dropout.default", {x, 0.25});
  const auto out = elements(r[0].tensor()), mask = elements(r[1].tensor());
  for (size_t i = 0; i < 100; ++i) EXPECT_EQ(out[i].real(), 12 * mask[i].real()) << i;
}
}  // namespace
}  // namespace ersatz
