#include "kernels/random/randint.h"

#include <set>

#include "runtime/tensor/generator.h"
#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(Randint, IsI64UnlessGiven) {
  expect(ops::randint(0, 10, dims({2, 3}))).meta("i64[2,3]");
  expect(ops::randint(0, 10, dims({2}), {DType::F32})).meta("f32[2]");
}
OP_TEST(Randint, TakesBoundsOfTheWholeRange) {
  for (const int64_t high : {INT64_MIN + 9, INT64_MAX}) {
    expect(run("aten.randint.low", {Value(INT64_MIN), Value(high), Value(dims({3}))})).meta("i64[3]");
  }
}
OP_TEST(Randint, RefusesBoundsThatDoNotFit) {
  expect_refused([] { ops::randint(0, 10, dims({-1})); }, ErrorFamily::Runtime, "randint.C1");
  expect_refused([] { ops::randint(5, 5, dims({2})); }, ErrorFamily::Runtime, "randint.C2");
  expect_refused([] { ops::randint(0, 300, dims({2}), {DType::U8}); }, ErrorFamily::Runtime, "randint.C3");
  expect_refused([] { ops::randint(0, 10, dims({2}), {DType::C64}); }, ErrorFamily::Runtime, "randint.C3");
}
TEST(RandintValues, CoverTheWholeRangeAndNothingElse) {
  manual_seed(1);
  std::set<double> seen;
  for (const std::complex<double>& v : elements(ops::randint(-2, 3, dims({200})))) seen.insert(v.real());
  EXPECT_EQ(seen, (std::set<double>{-2, -1, 0, 1, 2}));
}
TEST(RandintValues, TakeTwoWordsEach) {
  manual_seed(1);
  ops::randint(0, 10, dims({5}));
  EXPECT_EQ(default_generator().state().offset, 3u);
}

}  // namespace
}  // namespace ersatz
