#include "kernels/shape/matrix_views.h"

#include "kernels/shape/conjugate.h"
#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(MatrixViews, LeaveATensorWithoutDims) {
  const Tensor x = ramp("f32[]");
  EXPECT_TRUE(ops::mT(x).is(x));
  EXPECT_TRUE(ops::adjoint(x).is(x));
  EXPECT_FALSE(ops::numpy_T(x).is(x));
}
}  // namespace
}  // namespace ersatz
