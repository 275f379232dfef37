// Offsets computed from indices by multiplication, in 32 and in 64 bits.
#include "kernels/pointwise/long_offsets.h"

#include <gtest/gtest.h>

namespace ersatz::pointwise {
namespace {

TEST(LongDivisor, DividesAsTheOperatorDoes) {
  constexpr int64_t kMost = (int64_t(1) << 62) - 1;
  for (int64_t d : {int64_t(1), int64_t(2), int64_t(3), int64_t(7), int64_t(1) << 31, (int64_t(1) << 31) + 1, kMost}) {
    const LongDivisor by(d);
    for (int64_t n : {int64_t(0), int64_t(1), d - 1, d, d + 1, int64_t(4294967297), 2 * d - 1, kMost, 2 * kMost + 1}) {
      EXPECT_EQ(by.divide(n), n / d) << n << " / " << d;
    }
  }
}

/// Returns offsets of two dims, innermost last: `rows` rows with stride 10, 3 elements with stride 2.
LongOffsets<1> rows_of_three(int64_t rows) {
  LongOffsets<1> offsets;
  offsets.wide = rows * 3 > kDeviceElements;
  offsets.push_inner(rows, {10});
  offsets.push_inner(3, {2});
  return offsets;
}

TEST(LongOffsets, AreTheSameInBothWidths) {
  LongOffsets<1> narrow = rows_of_three(4), wide = narrow;
  wide.wide = true;
  const int64_t expected[] = {0, 2, 4, 10, 12, 14, 20, 22, 24, 30, 32, 34};
  for (int64_t i = 0; i < 12; ++i) {
    EXPECT_EQ(narrow.of(i)[0], expected[i]) << i;
    EXPECT_EQ(wide.of(i)[0], expected[i]) << i;
  }
}

TEST(LongOffsets, ReachBeyondThirtyTwoBits) {
  const LongOffsets<1> offsets = rows_of_three(int64_t(1) << 33);
  EXPECT_EQ(offsets.of(3 * (int64_t(1) << 32) + 2)[0], 10 * (int64_t(1) << 32) + 4);
}

TEST(LongOffsets, OfSeveralIndicesAreThoseOfEach) {
  const LongOffsets<1> offsets = rows_of_three(8);
  LongOffsets<1>::At at[4];
  offsets.of_each(1, 5, at);
  for (int k = 0; k < 4; ++k) EXPECT_EQ(at[k][0], offsets.of(1 + 5 * k)[0]) << k;
}

}  // namespace
}  // namespace ersatz::pointwise
