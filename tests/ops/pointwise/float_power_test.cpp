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
OP_TEST(Ldexp, KeepsTheDtypeOfFloatsUnderIntegerExponents) {
  expect(ops::ldexp(make("bf16[2]", {1.5, -1}), i64({2}, {3, -1}))).meta("bf16[2]").values({12, -0.5});
  expect(ops::ldexp(make("f16[2]", {1, 0}), i64({}, {40}))).meta("f16[2]").values({INFINITY, 0});
}
OP_TEST(Ldexp, TakesExponentsBeyondThePowersOfTheDtype) {
  expect(ops::ldexp(make("f32[2]", {0x1p-140, 0}), i64({2}, {200, 4000}))).values({0x1p60, 0});
  expect(ops::ldexp(f64({3}, {0x1p-1070, 1, 0}), i64({3}, {2000, -1074, 5000}))).values({0x1p930, 0x1p-1074, 0}, 0);
}
// PyTorch 2.15.
OP_TEST(Ldexp, PassesOnTheLayoutOfFloatExponentsButForF32) {
  const auto of = [](const char* self, const char* other) { return ops::ldexp(make(self), make(other)); };
  expect(of("f64[4,1]", "f64[4,3]{1,4}")).meta("f64[4,3]{1,4}");
  expect(of("f16[4,1]", "f32[4,3]{1,4}")).meta("f32[4,3]{1,4}");
  expect(of("f32[4,1]", "f64[4,3]{1,4}")).meta("f64[4,3]");
  expect(of("i64[4,1]", "f64[4,3]{1,4}")).meta("f64[4,3]");
}
OP_TEST(Ldexp, ComputesThePowerOfAnExponentWithoutDimsInThePrecisionOfSelf) {
  expect(ops::ldexp(f64({1}, {1}), make("f16[]", {0.25}))).meta("f64[1]").values({std::exp2(0.25)}, 1e-12);
}
TEST(Ldexp, HasNoBoolExponentsOfFloats) {
  expect_refused([] { ops::ldexp(f32({1}, {1}), make("bool[1]", {1})); }, ErrorFamily::NotImplemented, "");
}

}  // namespace
}  // namespace ersatz
