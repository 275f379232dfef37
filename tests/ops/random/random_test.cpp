#include "kernels/random/draw.h"
#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

/// The smallest and the largest drawn number.
std::pair<double, double> ends(const Tensor& drawn) {
  std::pair<double, double> found{1e300, -1e300};
  for (const std::complex<double> v : elements(drawn)) {
    found.first = std::min(found.first, v.real());
    found.second = std::max(found.second, v.real());
  }
  return found;
}

TEST(Random, DrawsAllNumbersOfASmallDtype) {
  EXPECT_EQ(ends(run("aten.random_.default", {make("u8[10000]")})), std::pair(0.0, 255.0));
  EXPECT_EQ(ends(run("aten.random_.default", {make("bool[100]")})), std::pair(0.0, 1.0));
  EXPECT_EQ(ends(run("aten.random_.default", {make("bf16[10000]")})), std::pair(0.0, 256.0));
}
TEST(Random, DrawsFromAnIntervalWithoutItsEnd) {
  EXPECT_EQ(ends(run("aten.random_.from", {make("f32[1000]"), -2, 3})), std::pair(-2.0, 2.0));
  EXPECT_EQ(ends(run("aten.random_.to", {make("i64[1000]"), 3})), std::pair(0.0, 2.0));
  EXPECT_EQ(ends(run("aten.random_.from", {make("i8[10000]"), 120, Value()})), std::pair(120.0, 127.0));
}
TEST(Random, ReachesBothHalvesOfLargeIntegers) {
  const auto [low, high] = ends(run("aten.random_.from", {make("i64[1000]"), -(int64_t(1) << 61), Value()}));
  EXPECT_LT(low, -0x1p60);
  EXPECT_GT(high, 0x1p62);
  EXPECT_GE(ends(run("aten.random_.default", {make("i64[1000]")})).first, 0);
}
OP_TEST(Random, OfACopyLeavesTheTensor) {
  const Tensor x = f32({2, 2}, {7, 7, 7, 7});
  expect(run("aten.random.to", {x, 3})).meta("f32[2,2]").not_view_of(x);
  expect(x).values({7, 7, 7, 7});
}

}  // namespace
}  // namespace ersatz
