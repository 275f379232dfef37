// Floats of 8 bits, pairs of 4-bit floats, and the complex number of two halves.
//
// Each 8-bit float with a sign is an instance of SmallFloat. It converts to float exactly, and from float with one
// rounding. Doubles and halves are converted to float first. The code uses only bit operations, so the host and GPUs
// can run it.
#pragma once

#include <complex>

#include "runtime/base/half.h"

namespace ersatz {

/// Says how SmallFloat converts a number beyond its range.
enum class Overflow : uint8_t {
  Saturates,  ///< infinity and larger numbers become the largest finite number; only NaN becomes NaN (e4m3fn)
  Infinite,   ///< larger numbers become infinity, as in IEEE 754 (e5m2)
  NoNumber    ///< infinity and larger numbers become NaN, whose bits are those of -0 (fnuz)
};

/// A float with a sign bit, `Exponent` bits of exponent and 7 - `Exponent` bits of mantissa.
template <int Exponent, int Bias, Overflow Beyond>
struct SmallFloat {
  uint8_t bits = 0;

  SmallFloat() = default;
  ERSATZ_HD explicit SmallFloat(float f) : bits(encode(detail::bits_as<uint32_t>(f))) {}
  ERSATZ_HD explicit SmallFloat(double d) : SmallFloat(float(d)) {}
  ERSATZ_HD explicit SmallFloat(int i) : SmallFloat(float(i)) {}
  ERSATZ_HD operator float() const {
    const uint32_t sign = uint32_t(bits & 0x80u) << 24;
    const uint32_t magnitude = bits & 0x7fu;
    if (Beyond == Overflow::NoNumber && bits == 0x80u) return detail::bits_as<float>(0x7f800001u);
    if (Beyond == Overflow::Saturates && magnitude == 0x7fu) return detail::bits_as<float>(sign | 0x7ff00000u);
    if (Beyond == Overflow::Infinite && magnitude >= kInfinity) {
      const uint32_t quiet = magnitude > kInfinity ? 0x400000u : 0u;
      return detail::bits_as<float>(sign | 0x7f800000u | quiet | ((magnitude - kInfinity) << kDropped));
    }
    if (magnitude < (1u << kMantissa)) {  // zero, subnormal
      const float scaled = float(magnitude) * detail::bits_as<float>(uint32_t(128 - Bias - kMantissa) << 23);
      return detail::bits_as<float>(detail::bits_as<uint32_t>(scaled) | sign);
    }
    return detail::bits_as<float>(sign | ((magnitude << kDropped) + (uint32_t(127 - Bias) << 23)));
  }

 private:
  static constexpr int kMantissa = 7 - Exponent;
  static constexpr int kDropped = 23 - kMantissa;  ///< bits of a float's mantissa that SmallFloat drops
  static constexpr uint32_t kInfinity = ((1u << Exponent) - 1) << kMantissa;
  /// The largest finite number.
  static constexpr uint32_t kMost = Beyond == Overflow::Saturates  ? 0x7eu
                                    : Beyond == Overflow::Infinite ? kInfinity - 1
                                                                   : 0x7fu;

  ERSATZ_HD static uint8_t encode(uint32_t u) {
    const uint32_t sign = (u >> 24) & 0x80u;
    const uint32_t magnitude = u & 0x7fffffffu;
    if (magnitude > 0x7f800000u) return Beyond == Overflow::NoNumber ? 0x80u : uint8_t(sign | 0x7fu);
    uint32_t code = 0;
    constexpr uint32_t smallest_normal = uint32_t(128 - Bias) << 23;
    if (magnitude < smallest_normal) {  // adding `magic` makes the float adder round
      constexpr uint32_t magic = uint32_t(128 - Bias + kDropped) << 23;
      const float sum = detail::bits_as<float>(magnitude) + detail::bits_as<float>(magic);
      code = detail::bits_as<uint32_t>(sum) - magic;
    } else {
      const uint32_t odd = (magnitude >> kDropped) & 1u;
      const uint32_t rebased = magnitude - (uint32_t(127 - Bias) << 23);
      code = (rebased + ((1u << (kDropped - 1)) - 1) + odd) >> kDropped;
    }
    if (code > kMost) {
      if (Beyond == Overflow::NoNumber) return 0x80u;
      code = Beyond == Overflow::Saturates ? kMost : kInfinity;
    }
    if (Beyond == Overflow::NoNumber && code == 0) return 0;
    return uint8_t(sign | code);
  }
};

using float8_e4m3fn = SmallFloat<4, 7, Overflow::Saturates>;
using float8_e5m2 = SmallFloat<5, 15, Overflow::Infinite>;
using float8_e4m3fnuz = SmallFloat<4, 8, Overflow::NoNumber>;
using float8_e5m2fnuz = SmallFloat<5, 16, Overflow::NoNumber>;

/// A power of two, 2^(bits - 127), or NaN (bits 0xff). The format has no sign and no zero. Ties are rounded up.
struct float8_e8m0fnu {
  uint8_t bits = 0;
  float8_e8m0fnu() = default;
  ERSATZ_HD explicit float8_e8m0fnu(float f) {
    const uint32_t u = detail::bits_as<uint32_t>(f);
    const uint32_t exponent = (u >> 23) & 0xffu, mantissa = u & 0x7fffffu;
    const bool up = exponent == 0 ? mantissa > 0x400000u : mantissa >= 0x400000u;
    bits = uint8_t(exponent == 0xffu ? 0xffu : exponent + up);
  }
  ERSATZ_HD explicit float8_e8m0fnu(double d) : float8_e8m0fnu(float(d)) {}
  ERSATZ_HD explicit float8_e8m0fnu(int i) : float8_e8m0fnu(float(i)) {}
  ERSATZ_HD operator float() const {
    return detail::bits_as<float>(bits == 0 ? 0x400000u : bits == 0xffu ? 0x7f800001u : uint32_t(bits) << 23);
  }
};

/// Two floats of 4 bits, the first in the low half. No operator computes with it.
struct float4_e2m1fn_x2 {
  uint8_t bits = 0;
  float4_e2m1fn_x2() = default;
  float4_e2m1fn_x2(float low, float high) : bits(uint8_t(nearest(low) | (nearest(high) << 4))) {}
  float low() const { return number(bits & 15u); }
  float high() const { return number(bits >> 4); }

 private:
  static float number(unsigned code) {
    constexpr float numbers[] = {0, 0.5f, 1, 1.5f, 2, 3, 4, 6};
    return code & 8u ? -numbers[code & 7u] : numbers[code & 7u];
  }
  static unsigned nearest(float f) {
    const unsigned sign = detail::bits_as<uint32_t>(f) >> 28 & 8u;
    unsigned code = 0;
    for (const float above : {0.25f, 0.75f, 1.25f, 1.75f, 2.5f, 3.5f, 5.0f}) code += (sign ? -f : f) > above;
    return sign | code;
  }
};

/// A complex number of two halves, computed in float.
struct complex_half {
  using value_type = half;
  half re, im;
  complex_half() = default;
  ERSATZ_HD complex_half(half real, half imaginary) : re(real), im(imaginary) {}
  explicit complex_half(std::complex<float> z) : re(z.real()), im(z.imag()) {}
  ERSATZ_HD half real() const { return re; }
  ERSATZ_HD half imag() const { return im; }
  operator std::complex<float>() const { return {float(re), float(im)}; }
};

static_assert(sizeof(float8_e5m2) == 1 && sizeof(float8_e8m0fnu) == 1 && sizeof(float4_e2m1fn_x2) == 1);
static_assert(sizeof(complex_half) == 4);

}  // namespace ersatz
