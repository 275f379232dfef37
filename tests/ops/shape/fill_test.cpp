#include "kernels/shape/fill.h"

#include "kernels/shape/scalar_fit.h"
#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(Fill, ByAComplexNumberNeedsItsImaginaryPartInTheDtype) {
  const auto fill = [](std::string_view meta, std::complex<double> z) { ops::fill_(make(meta), Scalar(z)); };
  fill("f8e4m3fn[3]", 2.);
  fill("f8e8m0fnu[1]", 2.);
  expect_refused([&] { fill("f8e8m0fnu[3]", 2.); }, ErrorFamily::Runtime, "fill_.C1");  // which has no zero
  expect_refused([&] { fill("f8e4m3fn[3]", {2, 1}); }, ErrorFamily::Runtime, "fill_.C1");
}

OP_TEST(Fill, WritesEveryElementOfAnyLayout) {
  Tensor x = ramp("f32[2,3]{1,4}");
  expect(ops::fill_(x, 1.5)).is(x).values({1.5, 1.5, 1.5, 1.5, 1.5, 1.5});
}
OP_TEST(Fill, LeavesGapsAlone) {
  Tensor base = ramp("f32[6]");
  ops::fill_(make_view(base, parse_meta("f32[3]{2}")), 9);
  expect(base).values({9, 1, 9, 3, 9, 5});
}
OP_TEST(Fill, TakesATensorWithoutDims) {
  Tensor x = ramp("f32[2]");
  expect(ops::fill_(x, make("i64[]", {7}))).is(x).values({7, 7});
}
OP_TEST(Fill, MayMakeSharedElementsEqual) {
  Tensor x = make_view(ramp("f32[1]"), parse_meta("f32[3]{0}"));
  expect(ops::fill_(x, 2)).values({2, 2, 2});
}
OP_TEST(Fill, WithoutInPlaceGivesACopyOfTheLayout) {
  Tensor x = ramp("f32[2,3]{1,2}");
  expect(ops::fill(x, 2)).meta("f32[2,3]{1,2}").not_view_of(x).values({2, 2, 2, 2, 2, 2});
}
OP_TEST(Fill, RefusesNumbersThatDoNotFit) {
  Tensor bytes = ramp("u8[2]"), reals = ramp("f32[2]");
  expect_refused([&] { ops::fill_(bytes, 300); }, ErrorFamily::Runtime, "fill_.C1");
  expect_refused([&] { ops::fill_(reals, std::complex<double>(0, 1)); }, ErrorFamily::Runtime, "fill_.C1");
}
OP_TEST(Fill, RefusesAValueWithDims) {
  Tensor x = ramp("f32[2]"), value = ramp("f32[1]");
  expect_refused([&] { ops::fill_(x, value); }, ErrorFamily::Runtime, "fill_.C2");
}
OP_TEST(Fill, FromATensorRefusesASharedDestination) {
  Tensor x = make_view(ramp("f32[1]"), parse_meta("f32[3]{0}")), value = ramp("f32[]");
  expect_refused([&] { ops::fill_(x, value); }, ErrorFamily::Runtime, "fill_.C3");
}
OP_TEST(Zero, ClearsEveryElement) {
  Tensor x = ramp("f32[2,2]{1,3}");
  expect(ops::zero_(x)).is(x).values({0, 0, 0, 0});
  expect(ops::zero(ramp("i64[2]"))).meta("i64[2]").values({0, 0});
}
TEST(ScalarFits, FollowsTheDtypesRange) {
  EXPECT_TRUE(scalar_fits(-255, DType::U8));
  EXPECT_FALSE(scalar_fits(-256, DType::U8));
  EXPECT_TRUE(scalar_fits(127.9 - 0.9, DType::I8));
  EXPECT_FALSE(scalar_fits(1e10, DType::I8));
  EXPECT_FALSE(scalar_fits(NAN, DType::I64));
  EXPECT_TRUE(scalar_fits(INFINITY, DType::F16));
  EXPECT_FALSE(scalar_fits(1e6, DType::F16));
  EXPECT_FALSE(scalar_fits(1e300, DType::F32));
  EXPECT_TRUE(scalar_fits(std::complex<double>(1, 0), DType::F32));
  EXPECT_TRUE(scalar_fits(1e300, DType::Bool));
}

}  // namespace
}  // namespace ersatz
