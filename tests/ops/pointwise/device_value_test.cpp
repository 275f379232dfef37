#include "kernels/pointwise/device_value.h"

#include <gtest/gtest.h>

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

TEST(DeviceValue, IsLoadedFromTheDtypeThatItIsStoredAs) {
  const int16_t whole = -7;
  const bfloat16 narrow(2.5f);
  const auto* const at_whole = reinterpret_cast<const std::byte*>(&whole);
  const auto* const at_narrow = reinterpret_cast<const std::byte*>(&narrow);
  EXPECT_EQ(load_as<double>(at_whole, DType::I16), -7);
  EXPECT_EQ(load_as<int64_t>(at_narrow, DType::BF16), 2);
}

}  // namespace
}  // namespace ersatz
