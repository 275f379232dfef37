#include "kernels/indexing/masked_scatter.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(MaskedScatter, WritesInPlace) {
  const Tensor x = ramp("f32[3]");
  EXPECT_TRUE(ops::masked_scatter_(x, boolean({3}, {0, 1, 0}), f32({1}, {9})).is(x));
  expect(x).values({0, 9, 2});
}
}  // namespace
}  // namespace ersatz
