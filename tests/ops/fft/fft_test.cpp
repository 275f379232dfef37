#include "kernels/fft/fft.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

// Eager returns +0 as the imaginary part of these elements, so the angle of a negative one is +pi.
TEST(FftR2c, FirstAndMiddleOfSpectrumAreReal) {
  std::vector<double> line;
  for (int64_t i = 0; i < 96; ++i) line.push_back(0.1 * static_cast<double>(i * i % 7) - 0.7);
  for (const bool onesided : {false, true}) {
    const std::vector<std::complex<double>> spectrum = elements(ops::_fft_r2c(f64({96}, line), dims({0}), 0, onesided));
    for (const size_t i : {size_t{0}, size_t{48}}) {
      EXPECT_EQ(spectrum[i].imag(), 0) << i;
      EXPECT_FALSE(std::signbit(spectrum[i].imag())) << i;
    }
    for (size_t i = 49; i < spectrum.size(); ++i) EXPECT_EQ(spectrum[i], std::conj(spectrum[96 - i])) << i;
  }
}
std::string layout(const char* op, const char* self, std::initializer_list<int64_t> over, const Value& last) {
  return rule_answer(op, {Value(shape_only(self)), ints(over), Value(0), last});
}
TEST(FftOnCuda, TakesThreeDimsInPassAndSortsOthers) {
  const char* op = "aten._fft_c2c.default";
  EXPECT_EQ(layout(op, "c64[2,3,4]@cuda:0", {0}, true), "c64[2,3,4]{1,8,2}+0@cuda:0");
  EXPECT_EQ(layout(op, "c64[2,3,4,5]@cuda:0", {0, 1, 2, 3}, true), "c64[2,3,4,5]{1,40,10,2}+0@cuda:0");
}
TEST(FftOnCuda, TakesDimsOfARealTransformInOrder) {
  const char* r2c = "aten._fft_r2c.default";
  EXPECT_EQ(layout(r2c, "f32[2,3,4]{1,2,6}@cuda:0", {0, 2}, true), "c64[2,3,3]{3,6,1}+0@cuda:0");
  EXPECT_EQ(layout(r2c, "f32[2,3,4]{1,2,6}@cuda:0", {2, 0}, true), "c64[2,3,4]{1,8,2}+0@cuda:0");
  EXPECT_EQ(layout("aten._fft_c2r.default", "c64[5,6,7]{1,35,5}@cuda:0", {2}, 12), "f32[5,6,12]{72,12,1}+0@cuda:0");
}
TEST(FftOnCuda, TransformsLastDimApartAfterFirstTwo) {
  const char* r2c = "aten._fft_r2c.default";
  EXPECT_EQ(layout(r2c, "f32[5,6,7]@cuda:0", {0, 1, 2}, true), "c64[5,6,4]{6,1,30}+0@cuda:0");
  EXPECT_EQ(layout(r2c, "f32[5,6,7]@cuda:0", {0, 1, 2}, false), "c64[5,6,7]{42,7,1}+0@cuda:0");
  EXPECT_EQ(layout("aten._fft_c2r.default", "c64[5,6,7]@cuda:0", {0, 1}, 10), "f32[5,10,7]{10,1,50}+0@cuda:0");
}
TEST(FftOnCuda, CopiesUnalignedRealNumbers) {
  const char* r2c = "aten._fft_r2c.default";
  EXPECT_EQ(layout(r2c, "f32[2,3,4]{1,2,6}+2@cuda:0", {2}, true), "c64[2,3,3]{3,6,1}+0@cuda:0");
  EXPECT_EQ(layout(r2c, "f32[2,3,4]{1,2,6}+1@cuda:0", {2}, true), "c64[2,3,3]{9,3,1}+0@cuda:0");
}
// The expected strides were measured on an H100.
TEST(FftOnCuda, OutThatIsResizedHasStridesOfResult) {
  const auto written = [](const char* op, const char* self, const Value& last, const char* out) {
    return rule_answer(op, {Value(shape_only(self)), ints({0}), Value(2), last}, {{"out", Value(shape_only(out))}});
  };
  EXPECT_EQ(written("aten._fft_c2c.out", "c64[5,6,7]@cuda:0", false, "c64[0]@cuda:0"), "c64[5,6,7]{1,35,5}+0@cuda:0");
  EXPECT_EQ(written("aten._fft_c2c.out", "c64[5,6,7]@cuda:0", false, "c64[5,6,7]@cuda:0"),
            "c64[5,6,7]{42,7,1}+0@cuda:0");
  EXPECT_EQ(written("aten._fft_r2c.out", "f32[5,6,7]{7,35,1}@cuda:0", true, "c64[4,7,8]@cuda:0"),
            "c64[3,6,7]{1,21,3}+0@cuda:0");
  EXPECT_EQ(written("aten._fft_r2c.out", "f32[5,6,7]{7,35,1}@cuda:0", false, "c64[0]@cuda:0"),
            "c64[5,6,7]{42,7,1}+0@cuda:0");
}
OP_TEST(Fft, RefusesAnEmptyBatchWithPyTorchBefore215) {
  const ContextGuard before([](RuleContext& c) { c.torch = {2, 14}; });
  const Tensor none = make("c64[0,3]"), reals = make("f32[5,0,10]");
  expect_refused([&] { ops::_fft_c2c(none, dims({1}), 0, true); }, ErrorFamily::Runtime, "_fft_c2c.C4");
  expect_refused([&] { ops::_fft_r2c(reals, dims({1, 2}), 1, true); }, ErrorFamily::Runtime, "_fft_r2c.C4");
  expect_refused([&] { ops::_fft_c2r(none, dims({1}), 0, 4); }, ErrorFamily::Runtime, "_fft_c2r.C4");
  expect(ops::_fft_c2c(none, {}, 0, true)).meta("c64[0,3]");
}
OP_TEST(FftR2cOut, MakesTheFirstHalfWhateverIsAskedFor) {
  Tensor out = make("c64[0]");
  expect(ops::_fft_r2c(ramp("f32[0]"), dims({0}), 0, false)).meta("c64[0]");
  expect_refused(
      [&] {
        call(op_named("aten._fft_r2c.out"), {{ramp("f32[0]"), ints({0}), 0, false}}, {{{"out", out}}});
      },
      ErrorFamily::Runtime, "_fft_r2c.C2");
}

}  // namespace
}  // namespace ersatz
