#include "kernels/shape/view_dtype.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(ViewDtype, OfOneElementSizeKeepsTheGeometry) {
  Tensor x = ramp("f32[2]");
  expect(ops::view(x, DType::I32)).meta("i32[2]{1}+0@cpu").view_of(x).values({0, 0x3f800000});
}
OP_TEST(ViewDtype, OfSmallerElementsMultipliesTheLastDim) {
  Tensor x = make_view(ramp("f32[8]"), parse_meta("f32[2,2]{4,1}+2"));
  expect(ops::view(x, DType::I16)).meta("i16[2,4]{8,1}+4@cpu");
}
OP_TEST(ViewDtype, OfLargerElementsDividesIt) {
  expect(ops::view(ramp("f32[3,4]"), DType::F64)).meta("f64[3,2]{2,1}+0@cpu");
}
OP_TEST(ViewDtype, RefusesGeometryThatDoesNotDivide) {
  Tensor scalar = ramp("f32[]"), transposed = ramp("f32[2,2]{1,2}"), odd = ramp("f32[2,3]");
  expect_refused([&] { ops::view(scalar, DType::I8); }, ErrorFamily::Runtime, "view.C5");
  expect_refused([&] { ops::view(transposed, DType::I8); }, ErrorFamily::Runtime, "view.C5");
  expect_refused([&] { ops::view(odd, DType::F64); }, ErrorFamily::Runtime, "view.C6");
}
OP_TEST(ViewDtype, RefusesALazyConjugate) {
  Tensor x = ramp("c64[2]");
  x.impl()->meta.conj = true;
  expect_refused([&] { ops::view(x, DType::F32); }, ErrorFamily::Runtime, "view.C4");
  expect_refused([&] { ops::view_as_real(x); }, ErrorFamily::Runtime, "view_as_real.C2");
}
OP_TEST(ViewDtype, AsRealAddsADimOfTwo) {
  Tensor x = make_view(ramp("c64[4]"), parse_meta("c64[2]{2}+1"));
  expect(ops::view_as_real(x)).meta("f32[2,2]{4,1}+2@cpu").view_of(x).values({1, 0, 3, 0});
}
OP_TEST(ViewDtype, AsRealRefusesRealTensors) {
  Tensor x = ramp("f32[2]");
  expect_refused([&] { ops::view_as_real(x); }, ErrorFamily::Type, "view_as_real.C1");
}
OP_TEST(ViewDtype, AsComplexTakesTheDimOfTwoAway) {
  expect(ops::view_as_complex(ramp("f64[3,2]{4,1}"))).meta("c128[3]{2}+0@cpu").complex_values({{0, 1}, {2, 3}, {4, 5}});
}
OP_TEST(ViewDtype, AsComplexRefusesOtherGeometry) {
  Tensor complex = ramp("c64[2]"), three = ramp("f32[3]"), transposed = ramp("f32[2,2]{1,2}"),
         odd = ramp("f32[2,2]{3,1}");
  expect_refused([&] { ops::view_as_complex(complex); }, ErrorFamily::Type, "view_as_complex.C1");
  expect_refused([&] { ops::view_as_complex(three); }, ErrorFamily::Runtime, "view_as_complex.C2");
  expect_refused([&] { ops::view_as_complex(transposed); }, ErrorFamily::Runtime, "view_as_complex.C3");
  expect_refused([&] { ops::view_as_complex(odd); }, ErrorFamily::Runtime, "view_as_complex.C4");
}
OP_TEST(ViewDtype, AsComplexRefusesDtypesWithoutComplexOnes) {
  Tensor words = ramp("i64[3,2]"), halves = ramp("f16[3,2]");
  expect_refused([&] { ops::view_as_complex(words); }, ErrorFamily::NotImplemented, "");
  EXPECT_EQ(ops::view_as_complex(halves).dtype(), DType::C32);
}

}  // namespace
}  // namespace ersatz
