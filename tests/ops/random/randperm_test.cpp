#include "kernels/random/randperm.h"

#include <algorithm>

#include "runtime/tensor/generator.h"
#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

TEST(Randperm, HasEachNumberOnceAndFollowsTheSeed) {
  manual_seed(1);
  const Tensor a = ops::randperm(100);
  manual_seed(1);
  const Tensor b = ops::randperm(100);
  std::vector<int64_t> seen(a.data<int64_t>(), a.data<int64_t>() + 100);
  EXPECT_TRUE(std::equal(seen.begin(), seen.end(), b.data<int64_t>()));
  EXPECT_FALSE(std::is_sorted(seen.begin(), seen.end()));
  std::sort(seen.begin(), seen.end());
  for (int64_t i = 0; i < 100; ++i) EXPECT_EQ(seen[static_cast<size_t>(i)], i);
}
OP_TEST(Randperm, HasTheAskedDtype) {
  expect(ops::randperm(3)).meta("i64[3]");
  expect(ops::randperm(256, {.dtype = DType::U8, .device = {}})).meta("u8[256]");
}
OP_TEST(Randperm, Refuses) {
  expect_refused([] { ops::randperm(-1); }, ErrorFamily::Runtime, "randperm.C1");
  expect_refused([] { ops::randperm(257, {.dtype = DType::U8, .device = {}}); }, ErrorFamily::Runtime, "randperm.C2");
  expect_refused([] { ops::randperm(2050, {.dtype = DType::F16, .device = {}}); }, ErrorFamily::Runtime, "randperm.C2");
}
TEST(Randperm, TakesAGeneratorOfTheCallers) {
  const auto draw = [] {
    Ref<Generator> g = make_ref<Generator>();
    return elements(run("aten.randperm.generator", {20}, {{"generator", Value(g)}}));
  };
  EXPECT_EQ(draw(), draw());
}

}  // namespace
}  // namespace ersatz
