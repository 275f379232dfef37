#include "kernels/pointwise/float_parts.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(RoundDecimals, RoundsTiesToEven) {
  const Tensor x = f64({3}, {0.125, 2.5, -1.26});
  expect(run("aten.round.decimals", {x}, {{"decimals", int64_t(1)}})).meta("f64[3]").values({0.1, 2.5, -1.3});
}
OP_TEST(RoundDecimals, RoundsToTensWhereDecimalsAreNegative) {
  expect(run("aten.round.decimals", {f64({3}, {14, 15, 25})}, {{"decimals", int64_t(-1)}})).values({10, 20, 20});
}
OP_TEST(Frexp, SplitsANumber) {
  const auto parts = ops::frexp(f32({3}, {8, -0.75, 0}));
  expect(parts.mantissa).meta("f32[3]").values({0.5, -0.75, 0});
  expect(parts.exponent).meta("i32[3]").values({4, 0, 0});
}
OP_TEST(Frexp, RefusesIntegers) {
  const Tensor x = ramp("i64[2]");
  expect_refused([&] { ops::frexp(x); }, ErrorFamily::Runtime, "frexp.C1");
}

}  // namespace
}  // namespace ersatz
