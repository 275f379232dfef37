#include "kernels/fft/fft.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(FftC2c, TransformsALine) {
  expect(ops::_fft_c2c(make_complex("c64[4]", {{1, 0}, {2, 0}, {3, 0}, {4, 0}}), dims({0}), 0, true))
      .meta("c64[4]")
      .complex_values({{10, 0}, {-2, 2}, {-2, 0}, {-2, -2}});
}
OP_TEST(FftC2c, InvertsAndDivides) {
  expect(ops::_fft_c2c(make_complex("c128[4]", {{10, 0}, {-2, 2}, {-2, 0}, {-2, -2}}), dims({0}), 2, false))
      .complex_values({{1, 0}, {2, 0}, {3, 0}, {4, 0}});
}
OP_TEST(FftC2c, PutsTransformedDimsInnermost) {
  const Tensor x = make("c64[2,3,4]");
  expect(ops::_fft_c2c(x, dims({0}), 0, true)).meta("c64[2,3,4]{1,8,2}");
  expect(ops::_fft_c2c(x, dims({1, 2, 0}), 0, true)).meta("c64[2,3,4]{12,4,1}");
  expect(ops::_fft_c2c(make("c64[2,3,4]{1,2,6}"), dims({0, 1, 2}), 0, true)).meta("c64[2,3,4]{1,2,6}");
}
OP_TEST(FftC2c, IsACopyOverNoDims) { expect(ops::_fft_c2c(make("c64[2,3]{1,2}"), {}, 0, true)).meta("c64[2,3]{1,2}"); }
OP_TEST(FftR2c, KeepsHalfAndOne) {
  expect(ops::_fft_r2c(f32({4}, {1, 2, 3, 4}), dims({0}), 0, true))
      .meta("c64[3]")
      .complex_values({{10, 0}, {-2, 2}, {-2, 0}});
  expect(ops::_fft_r2c(f64({3}, {1, 2, 4}), dims({0}), 0, false)).meta("c128[3]");
}
// So that the angle of a negative one is +pi, as eager's is.
TEST(FftR2c, TheFirstAndTheMiddleOfASpectrumAreReal) {
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
OP_TEST(FftR2c, KeepsItsLastDimLast) {
  expect(ops::_fft_r2c(ramp("f32[2,3,4]{1,2,6}"), dims({0, 1, 2}), 0, true)).meta("c64[2,3,3]{3,6,1}");
}
OP_TEST(FftC2r, MakesRealNumbersOfHalfASpectrum) {
  const Tensor half = make_complex("c64[3]", {{10, 0}, {-2, 2}, {-2, 0}});
  expect(ops::_fft_c2r(half, dims({0}), 2, 4)).meta("f32[4]").values({1, 2, 3, 4});
  expect(ops::_fft_c2r(half, dims({0}), 2, 5)).meta("f32[5]");
}
std::string layout(const char* op, const char* self, std::initializer_list<int64_t> over, const Value& last) {
  return rule_answer(op, {Value(shape_only(self)), ints(over), Value(0), last});
}
TEST(FftOnCuda, TakesThreeDimsInAPassAndSortsTheOthersAnew) {
  const char* op = "aten._fft_c2c.default";
  EXPECT_EQ(layout(op, "c64[2,3,4]@cuda:0", {0}, true), "c64[2,3,4]{1,8,2}+0@cuda:0");
  EXPECT_EQ(layout(op, "c64[2,3,4,5]@cuda:0", {0, 1, 2, 3}, true), "c64[2,3,4,5]{1,40,10,2}+0@cuda:0");
}
TEST(FftOnCuda, TakesTheDimsOfARealTransformAsTheyAreNamed) {
  const char* r2c = "aten._fft_r2c.default";
  EXPECT_EQ(layout(r2c, "f32[2,3,4]{1,2,6}@cuda:0", {0, 2}, true), "c64[2,3,3]{3,6,1}+0@cuda:0");
  EXPECT_EQ(layout(r2c, "f32[2,3,4]{1,2,6}@cuda:0", {2, 0}, true), "c64[2,3,4]{1,8,2}+0@cuda:0");
  EXPECT_EQ(layout("aten._fft_c2r.default", "c64[5,6,7]{1,35,5}@cuda:0", {2}, 12), "f32[5,6,12]{72,12,1}+0@cuda:0");
}
TEST(FftOnCuda, TransformsTheLastDimByItselfWhereDimsBeginWithTheFirstTwo) {
  const char* r2c = "aten._fft_r2c.default";
  EXPECT_EQ(layout(r2c, "f32[5,6,7]@cuda:0", {0, 1, 2}, true), "c64[5,6,4]{6,1,30}+0@cuda:0");
  EXPECT_EQ(layout(r2c, "f32[5,6,7]@cuda:0", {0, 1, 2}, false), "c64[5,6,7]{42,7,1}+0@cuda:0");
  EXPECT_EQ(layout("aten._fft_c2r.default", "c64[5,6,7]@cuda:0", {0, 1}, 10), "f32[5,10,7]{10,1,50}+0@cuda:0");
}
TEST(FftOnCuda, CopiesRealNumbersThatAComplexOneCouldNotBeginAt) {
  const char* r2c = "aten._fft_r2c.default";
  EXPECT_EQ(layout(r2c, "f32[2,3,4]{1,2,6}+2@cuda:0", {2}, true), "c64[2,3,3]{3,6,1}+0@cuda:0");
  EXPECT_EQ(layout(r2c, "f32[2,3,4]{1,2,6}+1@cuda:0", {2}, true), "c64[2,3,3]{9,3,1}+0@cuda:0");
}
// An H100 gave these.
TEST(FftOnCuda, AnOutThatIsResizedHasTheStridesOfTheResult) {
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
OP_TEST(FftC2r, LaysOutWhatTheComplexPassLeaves) {
  expect(ops::_fft_c2r(make("c64[2,3,4]"), dims({2, 0}), 0, 2)).meta("f32[2,3,4]{1,8,2}");
}
OP_TEST(Fft, Refuses) {
  const Tensor real = ramp("f32[4]"), z = make("c64[4]"), whole = ramp("i64[4]");
  expect_refused([&] { ops::_fft_c2c(real, dims({0}), 0, true); }, ErrorFamily::Runtime, "_fft_c2c.C1");
  expect_refused([&] { ops::_fft_c2c(z, dims({1}), 0, true); }, ErrorFamily::Runtime, "_fft_c2c.C2");
  expect_refused([&] { ops::_fft_r2c(whole, dims({0}), 0, true); }, ErrorFamily::Type, "_fft_r2c.C1");
  expect_refused([&] { ops::_fft_r2c(real, {}, 0, true); }, ErrorFamily::Runtime, "_fft_r2c.C2");
  expect_refused([&] { ops::_fft_c2r(z, dims({0}), 0, 20); }, ErrorFamily::Runtime, "_fft_c2r.C3");
}
OP_TEST(Fft, TransformsNothingOfAnEmptyBatch) {
  expect(ops::_fft_c2c(make_complex("c64[0,4]", {}), dims({-1, -1, 7}), 0, true)).meta("c64[0,4]");
  expect(ops::_fft_r2c(ramp("f32[0,4]"), dims({-1}), 0, true)).meta("c64[0,4]");
  expect_error([] { ops::_fft_c2r(make_complex("c64[0,4]", {}), dims({-1}), 0, 6); }, "_fft_c2r.C2");
  expect(ops::_fft_r2c(ramp("f32[0,4]"), dims({1}), 0, true)).meta("c64[0,3]");
  expect(ops::_fft_c2c(make("c64[0,4]"), dims({1, 1}), 0, true)).meta("c64[0,4]");
  expect(ops::_fft_c2r(make("c64[0,4]"), dims({1}), 0, 20)).meta("f32[0,20]");
  expect(ops::_fft_r2c(ramp("f32[0,4]"), dims({2}), 0, true)).meta("c64[0,4]");
  const Tensor empty = ramp("f32[0,4]");
  expect_refused([&] { ops::_fft_r2c(empty, dims({2}), 0, false); }, ErrorFamily::Index, "_fft_r2c.dim");
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

// As eager: the lines are those of the innermost dim, and keep their length.
OP_TEST(FftC2r, ADimThatTheInputHasNotMeansTheInnermost) {
  const Tensor spectra = make_complex("c64[2,2]{1,2}", {{2, 0}, {1, 0}, {4, 0}, {0, 0}});
  const SymInt absent[] = {2}, far[] = {5};
  expect(ops::_fft_c2r(spectra, absent, 0, 3)).meta("f32[2,2]{1,3}").values({10, 1, -2, 1});
  expect_error([&] { ops::_fft_c2r(spectra, absent, 0, 1); }, "_fft_c2r.C3");
  expect_error([&] { ops::_fft_c2r(spectra, far, 0, 3); }, "_fft_c2r.C2");
}

}  // namespace
}  // namespace ersatz
