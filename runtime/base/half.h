// `half` (IEEE binary16) and `bfloat16`: storage types of two bytes.
//
// Both types convert to float implicitly, so arithmetic runs in float. Conversion from float is explicit and rounds to
// nearest even; doubles are converted to float first. On the host a conversion is a few bit operations; in device code
// it is an instruction of the GPU. Host and GPU round equally, but a GPU may lose the sign and payload of a NaN.
#pragma once

#include <bit>
#include <cstdint>

#include "runtime/base/host_device.h"

// 1 if the target GPU converts f16 (bf16) in one instruction.
#if defined(__CUDA_ARCH__)
#define ERSATZ_CONVERTS_HALF 1
#define ERSATZ_CONVERTS_BFLOAT16 (__CUDA_ARCH__ >= 800)
#else
#define ERSATZ_CONVERTS_HALF 0
#define ERSATZ_CONVERTS_BFLOAT16 0
#endif

namespace ersatz {

namespace detail {
template <class To, class From>
ERSATZ_HD inline To bits_as(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  __builtin_memcpy(&to, &from, sizeof(To));
  return to;
}
}  // namespace detail

struct bfloat16 {
  uint16_t bits = 0;
  bfloat16() = default;
  ERSATZ_HD explicit bfloat16(float f) {
#if ERSATZ_CONVERTS_BFLOAT16
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(f));
#else
    uint32_t u = detail::bits_as<uint32_t>(f);
    if ((u & 0x7fffffffu) > 0x7f800000u) {
      bits = uint16_t((u >> 16) | 0x40u);  // a NaN stays a (quiet) NaN
    } else {
      bits = uint16_t((u + 0x7fffu + ((u >> 16) & 1u)) >> 16);
    }
#endif
  }
  ERSATZ_HD explicit bfloat16(double d) : bfloat16(float(d)) {}
  ERSATZ_HD explicit bfloat16(int i) : bfloat16(float(i)) {}
  ERSATZ_HD operator float() const { return detail::bits_as<float>(uint32_t(bits) << 16); }
};

struct half {
  uint16_t bits = 0;
  half() = default;
  ERSATZ_HD explicit half(float f) {
#if ERSATZ_CONVERTS_HALF
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(f));
#else
    uint32_t u = detail::bits_as<uint32_t>(f);
    uint32_t sign = (u >> 16) & 0x8000u;
    uint32_t mag = u & 0x7fffffffu;
    if (mag >= 0x7f800000u) {  // inf, NaN
      bits = uint16_t(sign | 0x7c00u | (mag > 0x7f800000u ? 0x200u | ((mag >> 13) & 0x3ffu) : 0u));
    } else if (mag >= 0x477ff000u) {  // the rounded number is 2^16 or more: infinity
      bits = uint16_t(sign | 0x7c00u);
    } else if (mag < 0x38800000u) {  // subnormal or zero: adding 0.5 makes the float adder round
      float shifted = detail::bits_as<float>(mag) + detail::bits_as<float>(0x3f000000u);
      bits = uint16_t(sign | (detail::bits_as<uint32_t>(shifted) - 0x3f000000u));
    } else {
      uint32_t odd = (mag >> 13) & 1u;
      bits = uint16_t(sign | ((mag - 0x38000000u + 0xfffu + odd) >> 13));
    }
#endif
  }
  ERSATZ_HD explicit half(double d) : half(float(d)) {}
  ERSATZ_HD explicit half(int i) : half(float(i)) {}
  ERSATZ_HD operator float() const {
#if ERSATZ_CONVERTS_HALF
    float f;
    asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(bits));
    return f;
#else
    uint32_t sign = uint32_t(bits & 0x8000u) << 16;
    uint32_t mag = bits & 0x7fffu;
    if (mag >= 0x7c00u) return detail::bits_as<float>(sign | 0x7f800000u | ((mag & 0x3ffu) << 13));
    if (mag >= 0x400u) return detail::bits_as<float>(sign | ((mag << 13) + 0x38000000u));
    float f = float(mag) * 5.9604644775390625e-08f;  // subnormal: mag * 2^-24
    return sign ? -f : f;
#endif
  }
};

static_assert(sizeof(half) == 2 && sizeof(bfloat16) == 2);

#undef ERSATZ_CONVERTS_HALF
#undef ERSATZ_CONVERTS_BFLOAT16

}  // namespace ersatz
