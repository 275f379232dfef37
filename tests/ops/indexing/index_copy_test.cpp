#include "kernels/indexing/index_copy.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(IndexCopy, WritesInPlace) {
  const Tensor x = ramp("f32[2,2]{1,2}");
  EXPECT_TRUE(ops::index_copy_(x, 0, i64({1}, {1}), f32({1, 2}, {8, 9})).is(x));
  expect(x).meta("f32[2,2]{1,2}").values({0, 1, 8, 9});
}
}  // namespace
}  // namespace ersatz
