#include "kernels/shape/tril.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(Tril, WritesInPlaceThroughAnyStrides) {
  const Tensor x = ramp("f32[2,2]{1,2}");
  EXPECT_TRUE(ops::tril_(x).is(x));
  expect(x).meta("f32[2,2]{1,2}").values({0, 0, 2, 3});
}
}  // namespace
}  // namespace ersatz
