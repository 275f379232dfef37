#include "kernels/indexing/take.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(Put, AddsUp) {
  const Tensor x = i64({3}, {1, 2, 3});
  EXPECT_TRUE(ops::put_(x, i64({3}, {0, 0, 2}), i64({3}, {10, 20, 30}), true).is(x));
  expect(x).values({31, 2, 33});
}
}  // namespace
}  // namespace ersatz
