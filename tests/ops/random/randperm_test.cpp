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
TEST(Randperm, TakesAGeneratorOfTheCallers) {
  const auto draw = [] {
    Ref<Generator> g = make_ref<Generator>();
    return elements(run("aten.randperm.generator", {20}, {{"generator", Value(g)}}));
  };
  EXPECT_EQ(draw(), draw());
}

}  // namespace
}  // namespace ersatz
