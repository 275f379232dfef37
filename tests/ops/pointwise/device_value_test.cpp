#include "kernels/pointwise/device_value.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace ersatz {
namespace {

TEST(DeviceValue, IsTrueWhereItIsNotZero) {
  EXPECT_TRUE(convert_value<bool>(1.0f));
  EXPECT_TRUE(convert_value<bool>(0.25));
  EXPECT_TRUE(convert_value<bool>(int64_t(-2)));
  EXPECT_TRUE(convert_value<bool>(half(1.0f)));
  EXPECT_TRUE(convert_value<bool>(DeviceComplex<float>(0, 1)));
  EXPECT_FALSE(convert_value<bool>(-0.0));
  EXPECT_FALSE(convert_value<bool>(uint8_t(0)));
  EXPECT_FALSE(convert_value<bool>(bfloat16(0.0f)));
  EXPECT_FALSE(convert_value<bool>(DeviceComplex<double>(0, 0)));
}

TEST(DeviceValue, IsARealNumberByItsRealPart) {
  EXPECT_EQ(convert_value<double>(DeviceComplex<float>(1.5f, 2)), 1.5);
  EXPECT_EQ(convert_value<DeviceComplex<double>>(int32_t(3)), DeviceComplex<double>(3, 0));
}

TEST(DeviceValue, WrapsInSmallIntegers) {
  EXPECT_EQ(convert_value<uint8_t>(-1.0), 255);
  EXPECT_EQ(convert_value<int8_t>(300.0f), 44);
}

constexpr float kBeyond = std::numeric_limits<float>::infinity(), kNoNumber = std::numeric_limits<float>::quiet_NaN();

TEST(DeviceValue, IsTheNearest32BitIntegerBeyondTheRange) {
  EXPECT_EQ(convert_value<int32_t>(kBeyond), INT32_MAX);
  EXPECT_EQ(convert_value<int32_t>(-kBeyond), INT32_MIN);
  EXPECT_EQ(convert_value<int32_t>(3e9f), INT32_MAX);
  EXPECT_EQ(convert_value<int32_t>(-3e9), INT32_MIN);
  EXPECT_EQ(convert_value<int32_t>(half(-kBeyond)), INT32_MIN);
  EXPECT_EQ(convert_value<int32_t>(bfloat16(1e30f)), INT32_MAX);
  EXPECT_EQ(convert_value<int32_t>(DeviceComplex<float>(kBeyond, 0)), INT32_MAX);
}

TEST(DeviceValue, IsTheNearest64BitIntegerBeyondTheRange) {
  EXPECT_EQ(convert_value<int64_t>(kBeyond), INT64_MAX);
  EXPECT_EQ(convert_value<int64_t>(-1e300), INT64_MIN);
  EXPECT_EQ(convert_value<int64_t>(0x1p63), INT64_MAX);
  EXPECT_EQ(convert_value<int64_t>(-0x1p63), INT64_MIN);
}

TEST(DeviceValue, IsTruncatedAtTheEndsOfTheRange) {
  EXPECT_EQ(convert_value<int32_t>(2147483647.9), INT32_MAX);
  EXPECT_EQ(convert_value<int32_t>(-2147483648.9), INT32_MIN);
  EXPECT_EQ(convert_value<int32_t>(2147483520.0f), 2147483520);
  EXPECT_EQ(convert_value<int32_t>(-1.9f), -1);
}

TEST(DeviceValue, KeepsTheLowBitsInASmallInteger) {
  EXPECT_EQ(convert_value<int16_t>(kBeyond), -1);
  EXPECT_EQ(convert_value<int16_t>(-kBeyond), 0);
  EXPECT_EQ(convert_value<int8_t>(1e10f), -1);
  EXPECT_EQ(convert_value<uint8_t>(1e10), 0);  // converted through a 64-bit integer, whose low byte is 0: 0x2540be400
  EXPECT_EQ(convert_value<uint8_t>(kBeyond), 255);
  EXPECT_EQ(convert_value<uint8_t>(-kBeyond), 0);
}

TEST(DeviceValue, NanIsZeroOrTheSmallestByDevice) {
  EXPECT_EQ(convert_value<int32_t>(kNoNumber), 0);
  EXPECT_EQ(convert_value<int32_t>(half(kNoNumber)), 0);
  EXPECT_EQ(convert_value<int32_t>(double(kNoNumber)), INT32_MIN);
  EXPECT_EQ(convert_value<int64_t>(kNoNumber), INT64_MIN);
  EXPECT_EQ(convert_value<int64_t>(double(kNoNumber)), INT64_MIN);
  EXPECT_EQ(convert_value<uint8_t>(kNoNumber), 0);
  EXPECT_TRUE(convert_value<bool>(kNoNumber));
}

TEST(DeviceValue, IsLoadedFromItsStoredDtype) {
  const int16_t whole = -7;
  const bfloat16 narrow(2.5f);
  const auto* const at_whole = reinterpret_cast<const std::byte*>(&whole);
  const auto* const at_narrow = reinterpret_cast<const std::byte*>(&narrow);
  EXPECT_EQ(load_as<double>(at_whole, DType::I16), -7);
  EXPECT_EQ(load_as<int64_t>(at_narrow, DType::BF16), 2);
}

}  // namespace
}  // namespace ersatz
