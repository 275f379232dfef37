// Macros for device code, and functions that device code calls instead of CUDA's own. nvcc and the host's compiler both
// accept them.
//
// The functors of *_cuda.cu files are compiled twice: by nvcc for the GPU, and by the host's compiler for the emulated
// device (tests/emulated_cuda/). So functors use these macros and functions, and include no CUDA header.
//
// By default nvcc inlines a function at each call in each kernel, and unrolls loops of unknown length, which takes
// minutes for 300 kernels. A function that costs more than a call is marked ..._CALL, which compiles it at most once
// for each kernel. Loops with long bodies or few passes are marked ERSATZ_ROLLED.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "runtime/base/half.h"

#if defined(__CUDACC__)
#define ERSATZ_DEVICE __device__ __forceinline__
#define ERSATZ_DEVICE_CALL __device__ __noinline__
#define ERSATZ_HD_CALL __host__ __device__ __noinline__
#define ERSATZ_UNROLL _Pragma("unroll")
#define ERSATZ_ROLLED _Pragma("unroll 1")
#define ERSATZ_PRAGMA(text) _Pragma(#text)
#define ERSATZ_UNROLL_BY(times) ERSATZ_PRAGMA(unroll(times))
#else
#include <atomic>
#define ERSATZ_DEVICE inline
#define ERSATZ_DEVICE_CALL inline
#define ERSATZ_HD_CALL
#define ERSATZ_UNROLL
#define ERSATZ_ROLLED
#define ERSATZ_UNROLL_BY(times)
#endif

namespace ersatz::cuda_module {

/// Returns the high 32 bits of the 64-bit product a * b.
ERSATZ_HD inline uint32_t multiply_high(uint32_t a, uint32_t b) {
#if defined(__CUDA_ARCH__)
  return __umulhi(a, b);
#else
  return static_cast<uint32_t>(uint64_t(a) * b >> 32);
#endif
}

ERSATZ_HD inline uint64_t multiply_high(uint64_t a, uint64_t b) {
#if defined(__CUDA_ARCH__)
  return __umul64hi(a, b);
#else
  __extension__ using Wide = unsigned __int128;
  return static_cast<uint64_t>(Wide(a) * b >> 64);
#endif
}
/// Returns high * 2^64 / divisor, rounded down. REQUIRES: high < divisor.
inline uint64_t divide_wide(uint64_t high, uint64_t divisor) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<uint64_t>((Wide(high) << 64) / divisor);
}

/// Returns a * b, rounded to float. In a plain expression nvcc may fuse the product with a sum into one instruction,
/// which rounds only once. An index from that instruction could differ from the CPU's index.
ERSATZ_HD inline float rounded_product(float a, float b) {
#if defined(__CUDA_ARCH__)
  return __fmul_rn(a, b);
#else
  return a * b;
#endif
}
ERSATZ_HD inline double rounded_product(double a, double b) {
#if defined(__CUDA_ARCH__)
  return __dmul_rn(a, b);
#else
  return a * b;
#endif
}

/// Returns the packet and makes the compiler keep it in 4-byte registers, not in one register for each element.
template <class Packet>
ERSATZ_DEVICE Packet kept_whole(Packet packet) {
#if defined(__CUDA_ARCH__)
  if constexpr (sizeof(Packet) % 4 == 0) {
    uint32_t words[sizeof(Packet) / 4];
    memcpy(words, &packet, sizeof packet);
    ERSATZ_UNROLL
    for (uint32_t& word : words) asm("" : "+r"(word));
    memcpy(static_cast<void*>(&packet), words, sizeof packet);
  }
#endif
  return packet;
}

/// Stores a packet in global memory, up to 16 bytes at once, because a plain assignment may be one store for each
/// element. REQUIRES: `to` is as aligned as the packet; a packet of more than 16 bytes is a multiple of 16 bytes.
template <class Packet>
ERSATZ_DEVICE void store_packet(void* to, const Packet& packet) {
  constexpr size_t kBytes = sizeof(Packet);
  static_assert(alignof(Packet) == (kBytes < 16 ? kBytes : 16));
#if defined(__CUDA_ARCH__)
  if constexpr (kBytes < 4) {
    std::conditional_t<kBytes == 1, uint8_t, uint16_t> word;
    memcpy(&word, &packet, kBytes);
    *static_cast<decltype(word)*>(to) = word;
  } else {
    uint32_t words[kBytes / 4];
    memcpy(words, &packet, kBytes);
    const size_t at = __cvta_generic_to_global(to);
    if constexpr (kBytes == 4) {
      asm volatile("st.global.b32 [%0], %1;" : : "l"(at), "r"(words[0]) : "memory");
    } else if constexpr (kBytes == 8) {
      asm volatile("st.global.v2.b32 [%0], {%1, %2};" : : "l"(at), "r"(words[0]), "r"(words[1]) : "memory");
    } else {
      ERSATZ_UNROLL
      for (size_t i = 0; i < kBytes / 16; ++i) {
        asm volatile("st.global.v4.b32 [%0], {%1, %2, %3, %4};"
                     :
                     : "l"(at + 16 * i), "r"(words[4 * i]), "r"(words[4 * i + 1]), "r"(words[4 * i + 2]),
                       "r"(words[4 * i + 3])
                     : "memory");
      }
    }
  }
#else
  std::memcpy(to, &packet, kBytes);
#endif
}

/// Sets *to = *to | bits, atomically.
ERSATZ_DEVICE void atomic_or(uint32_t* to, uint32_t bits) {
#if defined(__CUDA_ARCH__)
  atomicOr(to, bits);
#elif !defined(__CUDACC__)
  std::atomic_ref<uint32_t>(*to).fetch_or(bits, std::memory_order_relaxed);
#endif
}

/// Reads a word that other threads may change at the same time.
template <class Word>
ERSATZ_DEVICE Word atomic_read(Word* at) {
#if defined(__CUDACC__)
  return *static_cast<const volatile Word*>(at);
#else
  return std::atomic_ref<Word>(*at).load(std::memory_order_relaxed);
#endif
}

/// Compare and swap: writes `value` if the word equals `expected`. Returns the word's old value.
ERSATZ_DEVICE uint32_t atomic_replace(uint32_t* at, uint32_t expected, uint32_t value) {
#if defined(__CUDA_ARCH__)
  return atomicCAS(at, expected, value);
#elif !defined(__CUDACC__)
  std::atomic_ref<uint32_t>(*at).compare_exchange_strong(expected, value, std::memory_order_relaxed);
  return expected;
#else
  return expected;
#endif
}
ERSATZ_DEVICE uint64_t atomic_replace(uint64_t* at, uint64_t expected, uint64_t value) {
#if defined(__CUDA_ARCH__)
  return atomicCAS(reinterpret_cast<unsigned long long*>(at), static_cast<unsigned long long>(expected),
                   static_cast<unsigned long long>(value));
#elif !defined(__CUDACC__)
  std::atomic_ref<uint64_t>(*at).compare_exchange_strong(expected, value, std::memory_order_relaxed);
  return expected;
#else
  return expected;
#endif
}

/// Sets *to = combine(*to, value), atomically, for elements of up to 16 bytes. The order of the threads is not fixed.
/// An element smaller than 4 bytes is changed together with the word that contains it. An element of 16 bytes is
/// changed as two halves, each atomically.
template <class T, class Combine>
ERSATZ_DEVICE void atomic_combine(T* to, T value, Combine combine) {
  if constexpr (sizeof(T) == 16) {
    // A complex number of doubles: the real and the imaginary part are combined separately.
    auto* parts = reinterpret_cast<double*>(to);
    double halves[2];
    std::memcpy(halves, &value, sizeof value);
    atomic_combine(parts, halves[0], combine);
    atomic_combine(parts + 1, halves[1], combine);
  } else if constexpr (sizeof(T) == 8) {
    auto* word = reinterpret_cast<uint64_t*>(to);
    uint64_t seen = atomic_read(word), before;
    do {
      before = seen;
      T old, now;
      std::memcpy(static_cast<void*>(&old), &before, sizeof old);
      now = combine(old, value);
      uint64_t next;
      std::memcpy(&next, &now, sizeof next);
      seen = atomic_replace(word, before, next);
    } while (seen != before);
  } else {
    const auto address = reinterpret_cast<uintptr_t>(to);
    auto* word = reinterpret_cast<uint32_t*>(address & ~uintptr_t(3));
    const unsigned shift = static_cast<unsigned>(address & 3) * 8;
    const uint32_t mask = sizeof(T) == 4 ? 0xffffffffu : ((1u << (sizeof(T) * 8 % 32)) - 1) << shift;
    uint32_t seen = atomic_read(word), before;
    do {
      before = seen;
      const uint32_t part = (before & mask) >> shift;
      T old;
      std::memcpy(static_cast<void*>(&old), &part, sizeof old);
      const T now = combine(old, value);
      uint32_t next = 0;
      std::memcpy(&next, &now, sizeof now);
      seen = atomic_replace(word, before, (before & ~mask) | (next << shift));
    } while (seen != before);
  }
}

}  // namespace ersatz::cuda_module
