#include "kernels/shape/atleast.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(Atleast, LeavesAWideTensor) {
  const Tensor x = ramp("f32[2,3]{1,2}");
  EXPECT_TRUE(ops::atleast_2d(x).is(x));
}
}  // namespace
}  // namespace ersatz
