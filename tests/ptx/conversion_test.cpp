// Conversions, compared with the host and with the IEEE formats.
#include <bit>
#include <limits>

#include "tests/ptx/run_kernel.h"

namespace ersatz::ptx {
namespace {

/// Returns the results of `instruction`, which converts %a into %d.
template <class D, class S>
std::vector<D> converted(const std::string& instruction, const std::vector<S>& values) {
  const auto n = static_cast<uint32_t>(values.size());
  DeviceArray<D> to(n);
  DeviceArray<S> from(n);
  std::copy(values.begin(), values.end(), from.data());
  const auto bits = [](size_t bytes) { return std::to_string(8 * bytes); };
  run_kernel(".reg .b" + bits(std::max<size_t>(2, sizeof(D))) + " %d; .reg .b" + bits(std::max<size_t>(2, sizeof(S))) +
                 R"( %a; .reg .b32 %t; .reg .b64 %to, %from, %at;
      mov.u32 %t, %tid.x; ld.param.u64 %to, [to]; ld.param.u64 %from, [from];
      mul.wide.u32 %at, %t, )" +
                 std::to_string(sizeof(D)) + "; add.s64 %to, %to, %at; mul.wide.u32 %at, %t, " +
                 std::to_string(sizeof(S)) + "; add.s64 %from, %from, %at; ld.global.b" + bits(sizeof(S)) +
                 " %a, [%from];" + instruction + "st.global.b" + bits(sizeof(D)) + " [%to], %d; ret;",
             to.data(), from.data(), n);
  return to.values();
}

constexpr float kInf = std::numeric_limits<float>::infinity(), kNaN = std::numeric_limits<float>::quiet_NaN();

TEST(PtxConversion, FloatsToIntegersAreRoundedAndClamped) {
  const std::vector<float> values{0, 1.5f, 2.5f, -1.5f, -0.4f, 3e9f, -3e9f, kInf, -kInf, kNaN};
  EXPECT_EQ((converted<int32_t>("cvt.rzi.s32.f32 %d, %a;", values)),
            (std::vector<int32_t>{0, 1, 2, -1, 0, INT32_MAX, INT32_MIN, INT32_MAX, INT32_MIN, 0}));
  EXPECT_EQ((converted<int32_t>("cvt.rni.s32.f32 %d, %a;", values))[1], 2);
  EXPECT_EQ((converted<int32_t>("cvt.rmi.s32.f32 %d, %a;", values))[3], -2);
  EXPECT_EQ((converted<int32_t>("cvt.rpi.s32.f32 %d, %a;", values))[2], 3);
  EXPECT_EQ((converted<uint32_t>("cvt.rzi.u32.f32 %d, %a;", values)),
            (std::vector<uint32_t>{0, 1, 2, 0, 0, 3000000000u, 0, UINT32_MAX, 0, 0}));
  EXPECT_EQ((converted<int64_t>("cvt.rzi.s64.f32 %d, %a;", std::vector<float>{kNaN, kInf})),
            (std::vector<int64_t>{INT64_MIN, INT64_MAX}));
  EXPECT_EQ((converted<int8_t>("cvt.rzi.s8.f32 %d, %a;", std::vector<float>{200, -200, 7})),
            (std::vector<int8_t>{127, -128, 7}));
}

TEST(PtxConversion, OfIntegersKeepsTheirSign) {
  EXPECT_EQ((converted<float>("cvt.rn.f32.s32 %d, %a;", std::vector<int32_t>{-3, 16777217})),
            (std::vector<float>{-3, 16777216}));
  EXPECT_EQ((converted<float>("cvt.rp.f32.s32 %d, %a;", std::vector<int32_t>{16777217})),
            (std::vector<float>{16777218}));
  EXPECT_EQ((converted<double>("cvt.rn.f64.u64 %d, %a;", std::vector<uint64_t>{uint64_t(1) << 63})),
            (std::vector<double>{0x1p63}));
  EXPECT_EQ((converted<int64_t>("cvt.s64.s8 %d, %a;", std::vector<int16_t>{0xff, 0x7f})),
            (std::vector<int64_t>{-1, 127}));
  EXPECT_EQ((converted<uint16_t>("cvt.u16.u32 %d, %a;", std::vector<uint32_t>{0x12345})),
            (std::vector<uint16_t>{0x2345}));
  EXPECT_EQ((converted<uint16_t>("cvt.sat.u16.s32 %d, %a;", std::vector<int32_t>{-1, 70000, 5})),
            (std::vector<uint16_t>{0, 65535, 5}));
}

TEST(PtxConversion, FloatsToWholeFloatsAndToUnitRange) {
  EXPECT_EQ((converted<float>("cvt.rni.f32.f32 %d, %a;", std::vector<float>{2.5f, -3.5f})),
            (std::vector<float>{2, -4}));
  EXPECT_EQ((converted<float>("cvt.rpi.f32.f32 %d, %a;", std::vector<float>{2.5f})), (std::vector<float>{3}));
  EXPECT_EQ((converted<float>("cvt.sat.f32.f32 %d, %a;", std::vector<float>{kNaN, -1, 0.25f, 7})),
            (std::vector<float>{0, 0, 0.25f, 1}));
  EXPECT_EQ((converted<float>("cvt.rz.f32.f64 %d, %a;", std::vector<double>{1 + 0x1.8p-24})), (std::vector<float>{1}));
}

/// Returns the value of a 16-bit float pattern, computed from the definition of its format.
double meaning(uint16_t bits, int exponent_bits) {
  const int mantissa_bits = 15 - exponent_bits, bias = (1 << (exponent_bits - 1)) - 1;
  const int exponent = bits >> mantissa_bits & ((1 << exponent_bits) - 1), mantissa = bits & ((1 << mantissa_bits) - 1);
  const double sign = bits & 0x8000 ? -1 : 1;
  if (exponent == (1 << exponent_bits) - 1) return mantissa ? NAN : sign * INFINITY;
  if (exponent == 0) return sign * std::ldexp(mantissa, 1 - bias - mantissa_bits);
  return sign * std::ldexp((1 << mantissa_bits) + mantissa, exponent - bias - mantissa_bits);
}

TEST(PtxConversion, OfEverySixteenBitFloatAndBack) {
  for (const auto& [name, exponent_bits] : {std::pair("f16", 5), std::pair("bf16", 8)}) {
    SCOPED_TRACE(name);
    for (uint32_t first = 0; first < 65536; first += 1024) {
      std::vector<uint16_t> bits(1024);
      for (size_t k = 0; k < bits.size(); ++k) bits[k] = static_cast<uint16_t>(first + k);
      const auto floats = converted<float>(std::string("cvt.f32.") + name + " %d, %a;", bits);
      const auto back = converted<uint16_t>(std::string("cvt.rn.") + name + ".f32 %d, %a;", floats);
      for (size_t k = 0; k < bits.size(); ++k) {
        const double expected = meaning(bits[k], exponent_bits);
        if (expected != expected) {
          EXPECT_TRUE(floats[k] != floats[k]);
          EXPECT_EQ(back[k], 0x7fff);
        } else {
          ASSERT_EQ(floats[k], expected) << bits[k];
          ASSERT_EQ(back[k], bits[k]);
        }
      }
    }
  }
}

TEST(PtxConversion, RoundsToNearest16BitFloatTiesToEven) {
  EXPECT_EQ((converted<uint16_t>("cvt.rn.f16.f32 %d, %a;",
                                 std::vector<float>{1 + 0x1p-11f, 1 + 0x1.8p-10f, 65520, 65519, 0x1p-25f, 0x1.8p-25f})),
            (std::vector<uint16_t>{0x3c00, 0x3c02, 0x7c00, 0x7bff, 0, 1}));
  EXPECT_EQ(
      (converted<uint16_t>("cvt.rn.bf16.f32 %d, %a;", std::vector<float>{1 + 0x1p-8f, 1 + 0x1.8p-7f, 1 + 0x1.02p-8f,
                                                                         -1 - 0x1.8p-7f, 0x1.ffp127f, kInf})),
      (std::vector<uint16_t>{0x3f80, 0x3f82, 0x3f81, 0xbf82, 0x7f80, 0x7f80}));
}

}  // namespace
}  // namespace ersatz::ptx
