#include "kernels/random/rand.h"

#include "runtime/base/parallel.h"
#include "runtime/tensor/generator.h"
#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

std::vector<double> reals(const Tensor& t) {
  std::vector<double> values;
  for (const std::complex<double>& v : elements(t)) values.push_back(v.real());
  return values;
}

OP_TEST(Rand, HasTheDefaultDtype) {
  expect(ops::rand(dims({2, 3}))).meta("f32[2,3]");
  expect(ops::randn(dims({2}), {DType::C128})).meta("c128[2]");
}
OP_TEST(Rand, LikeKeepsTheLayout) {
  expect(ops::rand_like(make("bf16[2,3]{1,2}"))).meta("bf16[2,3]{1,2}");
  expect(ops::randn_like(make("f64[2,3]{1,2}"), {}, MemoryFormat::Contiguous)).meta("f64[2,3]");
}
OP_TEST(Rand, RefusesNegativeSizesAndFormatsOfAnotherRank) {
  Tensor x = make("f32[2]");
  expect_refused([] { ops::rand(dims({-1})); }, ErrorFamily::Runtime, "rand.C1");
  expect_refused([] { ops::randn(dims({-1})); }, ErrorFamily::Runtime, "randn.C1");
  expect_refused([&] { ops::rand_like(x, {}, MemoryFormat::ChannelsLast); }, ErrorFamily::Runtime, "rand_like.C3");
  expect_refused([&] { ops::randn_like(x, {}, MemoryFormat::ChannelsLast); }, ErrorFamily::Runtime, "randn_like.C3");
}
OP_TEST(Rand, HasNoIntegers) {
  expect_refused([] { ops::rand(dims({2}), {DType::I64}); }, ErrorFamily::NotImplemented, "");
}
OP_TEST(Rand, OfNormalNumbersMindsTheDtypeOnlyWhereThereAreSome) {
  expect(ops::randn(dims({0}), {DType::I64})).meta("i64[0]");
  expect_refused([] { ops::randn(dims({1}), {DType::I64}); }, ErrorFamily::NotImplemented, "");
}
OP_TEST(Rand, InPlaceIsTheTensorItself) {
  Tensor x = ramp("f32[4]");
  expect(ops::uniform_(x, 2, 3)).is(x);
  expect(ops::normal_(x, 0, 1)).is(x);
  expect_refused([&] { ops::uniform_(x, 1, 0); }, ErrorFamily::Runtime, "uniform_.C1");
  expect_refused([&] { ops::uniform_(x, 0, 1e300); }, ErrorFamily::Runtime, "uniform_.C2");
  expect_refused([&] { ops::normal_(x, 0, -1); }, ErrorFamily::Runtime, "normal_.C1");
}

TEST(RandValues, OfF32AreTheTop24BitsOfEachWord) {
  manual_seed(7);
  const std::vector<double> drawn = reals(ops::rand(dims({5})));
  for (uint64_t e = 0; e < 5; ++e) {
    const uint32_t word = philox_4x32_10(7, e / 4)[e % 4];
    EXPECT_EQ(drawn[e], static_cast<double>(word >> 8) / 16777216.0) << e;
  }
  EXPECT_EQ(default_generator().state().offset, 2u);
}
TEST(RandValues, OfF64Are53BitsOfTwoWords) {
  manual_seed(7);
  const std::vector<double> drawn = reals(ops::rand(dims({3}), {DType::F64}));
  const auto block = philox_4x32_10(7, 1);
  EXPECT_EQ(drawn[2], static_cast<double>(((uint64_t(block[0]) << 32) + block[1]) >> 11) * 0x1p-53);
  EXPECT_EQ(default_generator().state().offset, 2u);
}
TEST(RandValues, DoNotDependOnTheLayout) {
  manual_seed(3);
  const std::vector<double> rows = reals(ops::rand(dims({3, 5})));
  manual_seed(3);
  EXPECT_EQ(reals(ops::rand_like(make("f32[3,5]{1,3}"))), rows);
}
TEST(RandValues, DoNotDependOnTheThreads) {
  const int before = pool_threads();
  manual_seed(11);
  const std::vector<double> many = reals(ops::randn(dims({50001})));
  set_pool_threads(1);
  manual_seed(11);
  EXPECT_EQ(reals(ops::randn(dims({50001}))), many);
  set_pool_threads(before);
}
TEST(RandValues, StayBelowOneInNarrowDtypes) {
  manual_seed(5);
  for (DType t : {DType::F16, DType::BF16}) {
    for (double v : reals(ops::rand(dims({5000}), {t}))) {
      ASSERT_GE(v, 0);
      ASSERT_LT(v, 1);
    }
  }
}
TEST(RandValues, OfRandnHaveMeanZeroAndVarianceOne) {
  manual_seed(0);
  double sum = 0, squares = 0;
  const std::vector<double> drawn = reals(ops::randn(dims({100000})));
  for (double v : drawn) sum += v, squares += v * v;
  EXPECT_NEAR(sum / 100000, 0, 0.02);
  EXPECT_NEAR(squares / 100000, 1, 0.02);
}
TEST(RandValues, OfComplexRandnHaveVarianceOneInAll) {
  manual_seed(0);
  double squares = 0;
  for (const std::complex<double>& v : elements(ops::randn(dims({50000}), {DType::C64}))) squares += std::norm(v);
  EXPECT_NEAR(squares / 50000, 1, 0.03);
}
TEST(RandValues, OfComplexNormalHaveARealMean) {
  manual_seed(0);
  Tensor x = make_real_tensor(parse_meta("c64[20000]"));
  ops::normal_(x, 3, 1);
  std::complex<double> sum = 0;
  for (const std::complex<double>& v : elements(x)) sum += v;
  EXPECT_NEAR(sum.real() / 20000, 3, 0.05);
  EXPECT_NEAR(sum.imag() / 20000, 0, 0.05);
}
TEST(RandValues, OfUniformLieBetweenTheBounds) {
  Tensor x = make("f32[1000]");
  ops::uniform_(x, -3, -2);
  for (double v : reals(x)) {
    ASSERT_GE(v, -3);
    ASSERT_LE(v, -2);
  }
}
TEST(Uniform, RefusesBoundsThatTheDtypeCannotSpan) {
  const auto refuse = [](const char* self, double from, double to) {
    expect_refused([&] { call_op<"aten.uniform.default">(make(self), from, to, Value()); }, ErrorFamily::Runtime,
                   "uniform.C2");
  };
  refuse("f32[2]", -100, INFINITY);
  refuse("f32[2]", NAN, 1);
  refuse("f32[2]", -3e38, 3e38);
  refuse("f16[2]", -60000, 60000);
  refuse("c64[2]", -3e38, 3e38);
}

OP_TEST(NormalInPlace, LooksAtStdFirstAndAtTheDtypeOnlyOfElements) {
  expect_refused([] { ops::normal_(ramp("i32[2]"), 0, -1); }, ErrorFamily::Runtime, "normal_.C1");
  const Tensor none = ramp("i32[0]");
  expect(ops::normal_(none, 0, 1)).is(none);
}

}  // namespace
}  // namespace ersatz
