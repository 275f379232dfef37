#include "kernels/random/normal.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(Normal, IsRowMajorAndBroadcasts) {
  expect(ops::normal(ramp("f32[2,3]{1,2}"), ramp("f32[3]"))).meta("f32[2,3]{3,1}");
  expect(ops::normal(ramp("f16[2]"), 2.0)).meta("f16[2]");
  expect(ops::normal(1.0, ramp("f64[2]"))).meta("f64[2]");
  expect(ops::normal(1.0, 2.0, dims({2, 3}))).meta("f32[2,3]");
}
OP_TEST(Normal, IsTheMeanWithoutDeviation) { expect(ops::normal(f64({2}, {3, 4}), f64({2}, {0, 0}))).values({3, 4}); }
OP_TEST(Normal, Refuses) {
  const Tensor x = ramp("f32[2]");
  expect_refused([&] { ops::normal(x, -1.0); }, ErrorFamily::Runtime, "normal.C1");
  expect_refused([&] { ops::normal(x, ramp("c64[2]")); }, ErrorFamily::Runtime, "normal.C2");
  expect_refused([&] { ops::normal(x, ramp("f32[3]")); }, ErrorFamily::Runtime, "normal.C3");
}
OP_TEST(Normal, RefusesARealOutForComplexNumbers) {
  const Tensor mean = make("c64[2]"), out = ramp("f32[2]");
  expect_refused(
      [&] {
        call(op_named("aten.normal.Tensor_Tensor_out"), {{mean, ramp("f32[2]")}}, {{{"out", out}}});
      },
      ErrorFamily::Runtime, "normal.C5");
}
TEST(Normal, RefusesANegativeDeviationAmongMany) {
  expect_refused([] { ops::normal(0.0, f32({2}, {1, -1})); }, ErrorFamily::Runtime, "normal.value");
}
OP_TEST(Normal, RefusesANumberForTheMeanThatTheDtypeDoesNotHold) {
  const Tensor std = ramp("u8[2]");
  expect_refused([&] { ops::normal(-1.0, std); }, ErrorFamily::Runtime, "normal.C6");
  expect_refused([&] { ops::normal(1.0, std); }, ErrorFamily::NotImplemented, "");
}
OP_TEST(Normal, RefusesAnIntegerOutByItsMissingKernelOnlyWhereSomethingIsDrawn) {
  const auto draw = [](const char* mean, const char* result) {
    Tensor out = make(result);
    call(op_named("aten.normal.Tensor_float_out"), {{make(mean), 1.0}}, {{{"out", out}}});
  };
  expect_refused([&] { draw("f32[2]", "i64[2]"); }, ErrorFamily::NotImplemented, "");
  expect_refused([&] { draw("f32[0]", "i64[0]"); }, ErrorFamily::Runtime, "normal.C5");
}

}  // namespace
}  // namespace ersatz
