#include "kernels/indexing/scatter_reduce.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(ScatterReduce, WritesInPlace) {
  const Tensor x = ramp("f32[2,2]{1,2}");
  EXPECT_TRUE(ops::scatter_reduce_(x, 0, i64({1, 2}, {1, 0}), f32({1, 2}, {10, 20}), "sum").is(x));
  expect(x).meta("f32[2,2]{1,2}").values({0, 21, 12, 3});
}
}  // namespace
}  // namespace ersatz
