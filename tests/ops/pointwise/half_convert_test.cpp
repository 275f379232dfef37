// Compares the machine's conversions of half floats with runtime/base/half.h, bit by bit.
#include "kernels/pointwise/half_convert.h"

#include <cmath>
#include <cstring>

#include "runtime/base/half.h"
#include "tests/ops/op_test.h"

namespace ersatz {
namespace {

using pointwise::converter;

uint32_t bits_of(float f) { return detail::bits_as<uint32_t>(f); }

/// Converts every value of T to f32.
template <class T>
void widen_all(DType dtype) {
  std::vector<uint16_t> from(65536);
  for (size_t i = 0; i < from.size(); ++i) from[i] = static_cast<uint16_t>(i);
  std::vector<float> to(from.size());
  converter(DType::F32, dtype)(to.data(), from.data(), 65536);
  for (size_t i = 0; i < from.size(); ++i) {
    T value;
    value.bits = from[i];
    const float expected = value;
    if (std::isnan(expected)) {
      ASSERT_TRUE(std::isnan(to[i])) << i;
    } else {
      ASSERT_EQ(bits_of(to[i]), bits_of(expected)) << i;
    }
  }
}

/// Converts floats of every exponent and many fractions, with ties, to T.
template <class T>
void narrow_many(DType dtype) {
  std::vector<float> from;
  for (uint32_t high = 0; high < 1u << 16; high += 3) {
    for (uint32_t low : {0u, 1u, 0x0fffu, 0x1000u, 0x1001u, 0x7fffu, 0x8000u, 0x8001u, 0xffffu}) {
      from.push_back(detail::bits_as<float>(high << 16 | low));
    }
  }
  std::vector<uint16_t> to(from.size());
  converter(dtype, DType::F32)(to.data(), from.data(), static_cast<int64_t>(from.size()));
  for (size_t i = 0; i < from.size(); ++i) {
    T read;
    read.bits = to[i];
    if (std::isnan(from[i])) {
      ASSERT_TRUE(std::isnan(float(read))) << i;
    } else {
      ASSERT_EQ(to[i], T(from[i]).bits) << from[i];
    }
  }
}

/// A run of n elements is converted without access beyond its end.
TEST(HalfConvert, EndsWhereTheRunEnds) {
  for (const DType t : {DType::F16, DType::BF16}) {
    for (int64_t n = 0; n < 40; ++n) {
      std::vector<uint16_t> halves(48, 0x3f80), back(48, 7);
      std::vector<float> wide(48, -1.f);
      converter(DType::F32, t)(wide.data(), halves.data(), n);
      converter(t, DType::F32)(back.data(), wide.data(), n);
      for (size_t i = 0; i < 48; ++i) {
        const bool inside = int64_t(i) < n;
        ASSERT_EQ(wide[i] == -1.f, !inside) << i << " of " << n;
        ASSERT_EQ(back[i], inside ? 0x3f80 : 7) << i << " of " << n;
      }
    }
  }
}

TEST(HalfConvert, WidensEveryHalf) { widen_all<half>(DType::F16); }
TEST(HalfConvert, WidensEveryBfloat16) { widen_all<bfloat16>(DType::BF16); }
TEST(HalfConvert, RoundsToHalfAsTheBitWorkDoes) { narrow_many<half>(DType::F16); }
TEST(HalfConvert, RoundsToBfloat16AsTheBitWorkDoes) { narrow_many<bfloat16>(DType::BF16); }

TEST(HalfConvert, ConvertsRunsOfAnyLengthAndNoMore) {
  for (int n = 0; n < 20; ++n) {
    std::vector<float> from(32, 1.5f);
    std::vector<uint16_t> to(32, 7);
    converter(DType::F16, DType::F32)(to.data(), from.data(), n);
    for (int i = 0; i < 32; ++i) EXPECT_EQ(to[i], i < n ? 0x3e00 : 7) << n << " " << i;
  }
}

}  // namespace
}  // namespace ersatz
