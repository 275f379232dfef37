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

TEST(RandValues, F32IsTheTop24BitsOfAWord) {
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
}  // namespace
}  // namespace ersatz
