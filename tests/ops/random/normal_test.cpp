#include "kernels/random/normal.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(Normal, IsTheMeanWithoutDeviation) { expect(ops::normal(f64({2}, {3, 4}), f64({2}, {0, 0}))).values({3, 4}); }
OP_TEST(Normal, RefusesARealOutForComplexNumbers) {
  const Tensor mean = make("c64[2]"), out = ramp("f32[2]");
  expect_refused(
      [&] {
        call(op_named("aten.normal.Tensor_Tensor_out"), {{mean, ramp("f32[2]")}}, {{{"out", out}}});
      },
      ErrorFamily::Runtime, "normal.C5");
}
OP_TEST(Normal, RefusesAnIntegerOutIfItDraws) {
  const auto draw = [](const char* mean, const char* result) {
    Tensor out = make(result);
    call(op_named("aten.normal.Tensor_float_out"), {{make(mean), 1.0}}, {{{"out", out}}});
  };
  expect_refused([&] { draw("f32[2]", "i64[2]"); }, ErrorFamily::NotImplemented, "");
  expect_refused([&] { draw("f32[0]", "i64[0]"); }, ErrorFamily::Runtime, "normal.C5");
}

}  // namespace
}  // namespace ersatz
