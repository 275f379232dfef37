#include "kernels/pointwise/float_power.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(FloatPower, IsComputedInDouble) {
  expect(ops::float_power(i64({2}, {2, 3}), i64({2}, {-1, 2}))).meta("f64[2]").values({0.5, 9});
}
OP_TEST(FloatPower, RefusesToWriteWhatIsNoDouble) {
  const Tensor x = ramp("f32[2]");
  expect_refused([&] { run("aten.float_power_.Scalar", {x, Scalar(2)}); }, ErrorFamily::Runtime, "float_power_.C1");
}
OP_TEST(Ldexp, MultipliesByAPowerOfTwo) {
  expect(ops::ldexp(f32({2}, {1.5, -1}), i64({2}, {3, -1}))).meta("f32[2]").values({12, -0.5});
}

}  // namespace
}  // namespace ersatz
