#include "runtime/base/dtype.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "runtime/base/other_devices.h"
#include "runtime/plugin/codes.h"

namespace ersatz {
namespace {

half half_of(uint16_t bits) {
  half h;
  h.bits = bits;
  return h;
}
bfloat16 bfloat16_of(uint16_t bits) {
  bfloat16 b;
  b.bits = bits;
  return b;
}
float float_of(uint32_t bits) {
  float f;
  std::memcpy(&f, &bits, sizeof f);
  return f;
}

TEST(Half, EveryValueIsWhatItsFieldsSay) {
  for (uint32_t i = 0; i < 65536; ++i) {
    int sign = i >> 15, exponent = (i >> 10) & 31, fraction = i & 1023;
    float got = half_of(static_cast<uint16_t>(i));
    if (exponent == 31) {
      EXPECT_EQ(std::isnan(got), fraction != 0) << i;
      EXPECT_EQ(std::isinf(got), fraction == 0) << i;
    } else {
      double magnitude = exponent ? std::ldexp(1024 + fraction, exponent - 25) : std::ldexp(fraction, -24);
      ASSERT_EQ(got, static_cast<float>(sign ? -magnitude : magnitude)) << i;
    }
    ASSERT_EQ(std::signbit(got), sign == 1) << i;
  }
}

TEST(Half, EveryValueRoundTripsThroughFloat) {
  for (uint32_t i = 0; i < 65536; ++i) {
    float f = half_of(static_cast<uint16_t>(i));
    uint16_t back = half(f).bits;
    if (std::isnan(f))
      ASSERT_EQ(back, i | 0x200u) << i;  // a NaN becomes quiet
    else
      ASSERT_EQ(back, i) << i;
  }
}

TEST(Half, RoundsToNearestEven) {
  // The middle between two neighbours rounds to the even one; other values round to the nearer one.
  for (uint32_t i = 0; i < 0x7bff; ++i) {
    float low = half_of(static_cast<uint16_t>(i)), high = half_of(static_cast<uint16_t>(i + 1));
    float middle = (low + high) / 2;
    ASSERT_EQ(half(middle).bits, i % 2 ? i + 1 : i) << i;
    ASSERT_EQ(half(std::nextafter(middle, 0.0f)).bits, i) << i;
    ASSERT_EQ(half(std::nextafter(middle, 1e9f)).bits, i + 1) << i;
  }
}

TEST(Half, BecomesInfiniteFromHalfwayAboveTheMaximum) {
  EXPECT_EQ(half(65504.0f).bits, 0x7bff);
  EXPECT_EQ(half(65519.996f).bits, 0x7bff);
  EXPECT_EQ(half(65520.0f).bits, 0x7c00);
  EXPECT_EQ(half(-1e30f).bits, 0xfc00);
}

TEST(BFloat16, EveryValueRoundTripsThroughFloat) {
  for (uint32_t i = 0; i < 65536; ++i) {
    float f = bfloat16_of(static_cast<uint16_t>(i));
    if (std::isnan(f))
      ASSERT_EQ(bfloat16(f).bits, i | 0x40u) << i;
    else
      ASSERT_EQ(bfloat16(f).bits, i) << i;
  }
}

TEST(BFloat16, RoundsToNearestEven) {
  for (uint32_t i = 0; i < 0x7f7f; ++i) {
    ASSERT_EQ(bfloat16(float_of((i << 16) + 0x8000)).bits, i % 2 ? i + 1 : i) << i;
    ASSERT_EQ(bfloat16(float_of((i << 16) + 0x7fff)).bits, i) << i;
    ASSERT_EQ(bfloat16(float_of((i << 16) + 0x8001)).bits, i + 1) << i;
  }
}

TEST(DType, ShortNamesParseBack) {
  for (int i = 0; i < kDTypeCount; ++i) EXPECT_EQ(parse_dtype(name(static_cast<DType>(i))), static_cast<DType>(i));
  EXPECT_FALSE(parse_dtype("float32"));
  EXPECT_FALSE(parse_dtype(""));
}

TEST(DType, LongNamesAreThoseOfTheField) {
  EXPECT_EQ(long_name(DType::BF16), "bfloat16");
  EXPECT_EQ(long_name(DType::C128), "complex128");
  EXPECT_EQ(long_name(DType::U8), "uint8");
}

TEST(Device, SpellingsParseBack) {
  EXPECT_EQ(parse_device("cpu"), kCPU);
  EXPECT_EQ(parse_device("cpu:0"), kCPU);
  EXPECT_EQ(parse_device("cuda:63"), cuda(63));
  EXPECT_EQ(to_string(cuda(3)), "cuda:3");
  EXPECT_EQ(to_string(*parse_device("cuda")), "cuda");
  EXPECT_EQ(to_string(kMeta), "meta");
}

TEST(Device, RefusesWhatIsNone) {
  for (const char* text :
       {"", "gpu", "cpu:1", "cuda:", "cuda:64", "cuda:-1", "cuda:01", "cuda:1x", "meta:0", "xpu:8", "xpu:", "xpux"})
    EXPECT_FALSE(parse_device(text)) << text;
}

TEST(Device, OthersGoByRulesOfCudaOrCpu) {
  reset_other_devices();
  const Device xpu = *parse_device("xpu:1");
  EXPECT_TRUE(xpu.is_cuda());
  EXPECT_EQ(to_string(xpu), "xpu:1");
  EXPECT_EQ(to_string(*parse_device("privateuseone:7")), "privateuseone:7");
  EXPECT_EQ(to_string(*parse_device("mps")), "mps:0");
  EXPECT_FALSE(xpu == cuda(1) || xpu == *parse_device("xpu:0") || xpu == *parse_device("npu:1"));
  EXPECT_TRUE(set_device_rules("xpu", DeviceType::CPU));
  EXPECT_FALSE(set_device_rules("tpu", DeviceType::CPU));
  const Device as_cpu = *parse_device("xpu:1");
  EXPECT_TRUE(as_cpu.is_cpu());
  EXPECT_EQ(to_string(as_cpu), "xpu:1");
  EXPECT_FALSE(as_cpu == kCPU);
  ASSERT_EQ(other_devices_seen().size(), 4u);
  EXPECT_EQ(other_devices_seen()[0].name, "xpu");
  EXPECT_EQ(other_devices_seen()[0].rules, DeviceType::CPU);
  reset_other_devices();
  EXPECT_TRUE(other_devices_seen().empty());
}

TEST(Device, ScopeHasItsOwnChoiceAndList) {
  reset_other_devices();
  OtherDevices of_a_run;
  {
    const OtherDevicesScope scope(of_a_run);
    EXPECT_TRUE(set_device_rules("npu", DeviceType::CPU));
    EXPECT_TRUE(parse_device("npu:2")->is_cpu());
    ASSERT_EQ(other_devices_seen().size(), 1u);
    EXPECT_EQ(other_devices_seen()[0].rules, DeviceType::CPU);
  }
  EXPECT_TRUE(other_devices_seen().empty());
  EXPECT_TRUE(parse_device("npu:2")->is_cuda());
  const OtherDevicesScope again(of_a_run);
  EXPECT_TRUE(parse_device("npu:2")->is_cpu());
}

TEST(Device, CInterfaceHasMetadataDevicesUnderBothRules) {
  for (const DeviceType rules : {DeviceType::CUDA, DeviceType::CPU}) {
    OtherDevices of_a_run;
    const OtherDevicesScope scope(of_a_run);
    EXPECT_TRUE(set_device_rules("privateuseone", rules));
    const Device last = *parse_device("privateuseone:7");
    EXPECT_EQ(to_c(last).type, rules == DeviceType::CUDA ? 2 : 1);
    EXPECT_EQ(device_from_c(to_c(last)), last);
  }
  EXPECT_EQ(device_from_c({2, 63}), cuda(63));
  EXPECT_EQ(device_from_c({2, kEndOfOtherIndices}), std::nullopt);
  EXPECT_EQ(device_from_c({1, 0}), kCPU);
}

TEST(Device, ResolvingGivesCudaAnIndex) {
  EXPECT_EQ(resolve(*parse_device("cuda")), cuda(0));
  EXPECT_EQ(resolve(cuda(2)), cuda(2));
  EXPECT_EQ(resolve(kCPU), kCPU);
}

}  // namespace
}  // namespace ersatz
