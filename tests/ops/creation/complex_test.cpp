#include "kernels/creation/complex.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(Complex, JoinsRealAndImaginaryParts) {
  expect(ops::complex(f32({2}, {1, 2}), f32({2}, {3, -4}))).meta("c64[2]").complex_values({{1, 3}, {2, -4}});
  expect(ops::complex(f64({2, 1}, {1, 2}), f64({1}, {5}))).meta("c128[2,1]").complex_values({{1, 5}, {2, 5}});
}
OP_TEST(Complex, HasTheLayoutOfItsParts) {
  expect(ops::complex(ramp("f32[2,3]{1,2}"), ramp("f32[2,3]{1,2}"))).meta("c64[2,3]{1,2}");
}
OP_TEST(Polar, TurnsALengthByAnAngle) {
  expect(ops::polar(f64({2}, {2, 3}), f64({2}, {0, 3.14159265358979323846 / 2})))
      .meta("c128[2]")
      .complex_values({{2, 0}, {0, 3}});
}
OP_TEST(Complex, Refuses) {
  const Tensor a = f32({2}, {1, 2}), b = f64({2}, {1, 2}), c = i64({2}, {1, 2});
  expect_refused([&] { ops::complex(a, b); }, ErrorFamily::Runtime, "complex.C2");
  expect_refused([&] { ops::complex(a, f32({3}, {1, 2, 3})); }, ErrorFamily::Runtime, "complex.C1");
  EXPECT_THROW(ops::polar(c, c), Error);
}
OP_TEST(ComplexOut, LooksAtTheMemoryOfAnOutputThatMustBeResized) {
  const Tensor one = f64({1}, {1});
  const Tensor expanded = make_view(ramp("c128[1]"), parse_meta("c128[2]{0}"));
  expect_refused([&] { call_op<"aten.complex.out">(one, one, expanded); }, ErrorFamily::Runtime, "complex.overlap");
  expect_refused([&] { call_op<"aten.polar.out">(one, one, expanded); }, ErrorFamily::Runtime, "polar.overlap");
}

}  // namespace
}  // namespace ersatz
