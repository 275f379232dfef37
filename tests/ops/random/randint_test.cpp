#include "kernels/random/randint.h"

#include <set>

#include "runtime/tensor/generator.h"
#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

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
