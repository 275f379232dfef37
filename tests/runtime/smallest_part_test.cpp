// Search for the smallest part of a list that still fails.
#include "runtime/base/smallest_part.h"

#include <gtest/gtest.h>

namespace ersatz {
namespace {

using Numbers = std::vector<int>;

bool has(const Numbers& numbers, int n) { return std::find(numbers.begin(), numbers.end(), n) != numbers.end(); }

Numbers up_to(int n) {
  Numbers numbers;
  for (int i = 0; i < n; ++i) numbers.push_back(i);
  return numbers;
}

TEST(SmallestPart, KeepsWhatTheFailureNeeds) {
  Numbers numbers = up_to(100);
  int asked = 0;
  take_smallest_part(numbers, [&](const Numbers& rest) { return ++asked, has(rest, 3) && has(rest, 58); });
  EXPECT_EQ(numbers, (Numbers{3, 58, 99}));
  EXPECT_LT(asked, 100);
}

TEST(SmallestPart, TheLastOneStaysAlone) {
  Numbers numbers = up_to(7);
  take_smallest_part(numbers, [](const Numbers& rest) { return !rest.empty(); });
  EXPECT_EQ(numbers, Numbers{6});
  take_smallest_part(numbers, [](const Numbers&) { return true; });
  EXPECT_EQ(numbers, Numbers{6});
}

TEST(SmallestPart, NothingGoesWhereAllAreNeeded) {
  Numbers numbers = up_to(9);
  EXPECT_FALSE(leave_out(numbers, 2, [](const Numbers& rest) { return rest.size() == 9; }));
  take_smallest_part(numbers, [](const Numbers& rest) { return rest.size() == 9; });
  EXPECT_EQ(numbers, up_to(9));
}

}  // namespace
}  // namespace ersatz
