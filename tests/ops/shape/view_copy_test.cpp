#include "kernels/shape/view_copy.h"

#include "kernels/shape/conjugate.h"
#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(ViewCopy, SharesNoMemory) {
  const Tensor x = ramp("f32[2,3]");
  EXPECT_FALSE(ops::alias_copy(x).shares_storage(x));
  EXPECT_FALSE(ops::lift_fresh_copy(x).shares_storage(x));
}
}  // namespace
}  // namespace ersatz
