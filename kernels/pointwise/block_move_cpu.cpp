#include <algorithm>
#include <complex>
#include <cstring>
#include <limits>
#include <utility>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "kernels/cpu_features.h"
#include "kernels/pointwise/block_move.h"
#include "kernels/pointwise/half_convert.h"

namespace ersatz::pointwise {

namespace {

// Zip<T> interleaves two vectors of 16 bytes. A transposition of N x N elements, N = 16 / sizeof(T), needs log2(N)
// rounds of it. g++ and clang turn each shuffle into one unpack instruction.
template <class T>
struct Zip;
template <>
struct Zip<uint8_t> {
  typedef uint8_t V __attribute__((vector_size(16)));
  static V lo(V a, V b) {
    return __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  }
  static V hi(V a, V b) {
    return __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
  }
};
template <>
struct Zip<uint16_t> {
  typedef uint16_t V __attribute__((vector_size(16)));
  static V lo(V a, V b) { return __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11); }
  static V hi(V a, V b) { return __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15); }
};
template <>
struct Zip<uint32_t> {
  typedef uint32_t V __attribute__((vector_size(16)));
  static V lo(V a, V b) { return __builtin_shufflevector(a, b, 0, 4, 1, 5); }
  static V hi(V a, V b) { return __builtin_shufflevector(a, b, 2, 6, 3, 7); }
};
template <>
struct Zip<uint64_t> {
  typedef uint64_t V __attribute__((vector_size(16)));
  static V lo(V a, V b) { return __builtin_shufflevector(a, b, 0, 2); }
  static V hi(V a, V b) { return __builtin_shufflevector(a, b, 1, 3); }
};

template <class T>
void transpose_tile(std::byte* to, int64_t to_stride, const std::byte* from, int64_t from_stride) {
  using V = typename Zip<T>::V;
  constexpr int n = 16 / sizeof(T);
  V row[n], next[n];
#pragma GCC unroll 16
  for (int i = 0; i < n; ++i) std::memcpy(&row[i], from + i * from_stride, 16);
#pragma GCC unroll 4
  for (int round = 1; round < n; round *= 2) {
#pragma GCC unroll 8
    for (int i = 0; i < n / 2; ++i) {
      next[2 * i] = Zip<T>::lo(row[i], row[i + n / 2]);
      next[2 * i + 1] = Zip<T>::hi(row[i], row[i + n / 2]);
    }
#pragma GCC unroll 16
    for (int i = 0; i < n; ++i) row[i] = next[i];
  }
#pragma GCC unroll 16
  for (int i = 0; i < n; ++i) std::memcpy(to + i * to_stride, &row[i], 16);
}

template <class T>
void move_elements(const BlockView& to, const BlockView& from, int64_t n0, int64_t n1) {
  for (int64_t j = 0; j < n1; ++j) {
    std::byte* t = to.data + j * to.stride1;
    const std::byte* f = from.data + j * from.stride1;
    for (int64_t i = 0; i < n0; ++i) std::memcpy(t + i * to.stride0, f + i * from.stride0, sizeof(T));
  }
}

constexpr int64_t kPrefetchRows = 16;

/// Transposes: to[r][c] = from[c][r]. REQUIRES: elements within a row of `to` and within a row of `from` are adjacent.
template <class T>
void transpose(std::byte* to, int64_t to_stride, const std::byte* from, int64_t from_stride, int64_t rows,
               int64_t columns) {
  constexpr int64_t n = 16 / sizeof(T);
  constexpr int64_t size = sizeof(T);
  int64_t whole_rows = rows / n * n, whole_columns = columns / n * n;
  if constexpr (n > 1) {
    // The outer loop is along the rows of `from`, so that each cache line of `from` is used completely at once. If the
    // stride of `from` is a power of two, all its lines compete for a few sets of the cache.
    for (int64_t c = 0; c < whole_columns; c += n) {
      const std::byte* ahead = from + (c + kPrefetchRows) * from_stride;
      if (c + kPrefetchRows + n <= columns) {
        for (int64_t i = 0; i < n; ++i) {
          for (int64_t b = 0; b < rows * size; b += 64) __builtin_prefetch(ahead + i * from_stride + b);
        }
      }
      for (int64_t r = 0; r < whole_rows; r += n) {
        transpose_tile<T>(to + r * to_stride + c * size, to_stride, from + c * from_stride + r * size, from_stride);
      }
    }
  }
  auto edge = [&](int64_t r0, int64_t r1, int64_t c0, int64_t c1) {
    move_elements<T>({to + r0 * to_stride + c0 * size, size, to_stride},
                     {const_cast<std::byte*>(from) + c0 * from_stride + r0 * size, from_stride, size}, c1 - c0,
                     r1 - r0);
  };
  if (whole_columns < columns) edge(0, whole_rows, whole_columns, columns);
  if (whole_rows < rows) edge(whole_rows, rows, 0, columns);
}

template <class T>
void fill_row(std::byte* to, const std::byte* from, int64_t n) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  T* out = reinterpret_cast<T*>(to);
  for (int64_t i = 0; i < n; ++i) out[i] = value;
}

template <class T>
void move_typed(const BlockView& to, const BlockView& from, int64_t n0, int64_t n1) {
  constexpr int64_t size = sizeof(T);
  if (to.stride0 == size && from.stride0 == size) {
    for (int64_t j = 0; j < n1; ++j) std::memmove(to.data + j * to.stride1, from.data + j * from.stride1, n0 * size);
  } else if (to.stride0 == size && from.stride0 == 0) {
    if (from.stride1 == 0 && (n1 == 1 || to.stride1 == n0 * size)) return fill_row<T>(to.data, from.data, n0 * n1);
    for (int64_t j = 0; j < n1; ++j) fill_row<T>(to.data + j * to.stride1, from.data + j * from.stride1, n0);
  } else if (size < 16 && to.stride0 == size && from.stride1 == size && n1 > 1) {
    transpose<T>(to.data, to.stride1, from.data, from.stride0, n1, n0);
  } else if (size < 16 && to.stride1 == size && from.stride0 == size && n1 > 1) {
    transpose<T>(to.data, to.stride0, from.data, from.stride1, n0, n1);
  } else {
    move_elements<T>(to, from, n0, n1);
  }
}

template <class T>
inline constexpr bool kIsWide = !is_float(dtype_of<T>) || std::is_floating_point_v<T>;  ///< an integer, float or double

// Converts one number. A float becomes an unsigned integer by way of a signed one, because the direct cast of a
// negative float is undefined. Floats of 8 and 16 bits, and the parts of c32 numbers, are first converted to float.
template <class To, class From>
To convert_one(From v) {
  if constexpr (std::is_same_v<From, complex_half>) {
    return convert_one<To>(std::complex<float>(v));
  } else if constexpr (std::is_same_v<To, complex_half>) {
    return To(convert_one<std::complex<float>>(v));
  } else if constexpr (is_complex(dtype_of<From>)) {
    if constexpr (is_complex(dtype_of<To>)) {
      using R = typename To::value_type;
      return To(static_cast<R>(v.real()), static_cast<R>(v.imag()));
    } else if constexpr (std::is_same_v<To, bool>) {
      return v.real() != 0 || v.imag() != 0;
    } else {
      return convert_one<To>(v.real());
    }
  } else if constexpr (is_complex(dtype_of<To>)) {
    return To(convert_one<typename To::value_type>(v), 0);
  } else if constexpr (!kIsWide<From>) {
    const auto f = static_cast<float>(v);
    if constexpr (std::is_same_v<To, bfloat16> && sizeof(From) == 1) {
      if (f != f) return convert_one<To>(std::numeric_limits<float>::quiet_NaN());  // drops sign and payload
    }
    return convert_one<To>(f);
  } else if constexpr (!kIsWide<To>) {
    return To(static_cast<float>(v));
  } else if constexpr (std::is_same_v<To, bool>) {
    return v != From(0);
  } else if constexpr (std::is_same_v<To, uint64_t> && std::is_floating_point_v<From>) {
    return v < From(0x1p63) ? static_cast<uint64_t>(static_cast<int64_t>(v)) : static_cast<uint64_t>(v);
  } else if constexpr (std::is_unsigned_v<To> && std::is_floating_point_v<From>) {
    return static_cast<To>(static_cast<int64_t>(v));
  } else {
    return static_cast<To>(v);
  }
}

template <class To, class From>
#if defined(__clang__)
__attribute__((no_sanitize("float-cast-overflow")))
#endif
void convert_run(void* to, const void* from, int64_t n) {
  To* __restrict out = static_cast<To*>(to);
  const From* __restrict in = static_cast<const From*>(from);
  for (int64_t i = 0; i < n; ++i) out[i] = convert_one<To>(in[i]);
}

/// Returns the conversion from `from` to To; null for packed dtypes, which rules refuse to convert.
template <class To>
constexpr Convert converter_from(DType from) {
#define ERSATZ_FROM(D, ...)                                                                     \
  case DType::D:                                                                                \
    if constexpr (dtype_of<To> == DType::D || is_packed(DType::D) || is_packed(dtype_of<To>)) { \
      return nullptr;                                                                           \
    } else {                                                                                    \
      return &convert_run<To, CppTypeOf<DType::D>::T>;                                          \
    }
  switch (from) { ERSATZ_DTYPES(ERSATZ_FROM) }
#undef ERSATZ_FROM
  return nullptr;
}

}  // namespace

void stream_row(std::byte* to, const std::byte* from, int64_t bytes) {
#if defined(__SSE2__)
  int64_t head = std::min<int64_t>(-reinterpret_cast<intptr_t>(to) & 63, bytes);
  std::memcpy(to, from, head);
  int64_t at = head;
  for (; at + 64 <= bytes; at += 64) {
    for (int i = 0; i < 64; i += 16) {
      _mm_stream_si128(reinterpret_cast<__m128i*>(to + at + i),
                       _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + at + i)));
    }
  }
  std::memcpy(to + at, from + at, bytes - at);
#else
  std::memcpy(to, from, bytes);
#endif
}

void finish_streaming() {
#if defined(__SSE2__)
  _mm_sfence();
#endif
}

void move_block(const BlockView& to, const BlockView& from, int64_t n0, int64_t n1, int64_t item) {
  switch (item) {
    case 1:
      return move_typed<uint8_t>(to, from, n0, n1);
    case 2:
      return move_typed<uint16_t>(to, from, n0, n1);
    case 4:
      return move_typed<uint32_t>(to, from, n0, n1);
    case 8:
      return move_typed<uint64_t>(to, from, n0, n1);
    default:
      return move_typed<std::complex<double>>(to, from, n0, n1);
  }
}

namespace {
/// Returns a conversion by hardware instructions, or null if this machine has none for these dtypes.
Convert hardware_converter([[maybe_unused]] DType to, [[maybe_unused]] DType from) {
#if defined(__x86_64__)
  if (cpu_level() < CpuLevel::Avx2) return nullptr;
  static const HalfConverters hardware =
      cpu_level() >= CpuLevel::Avx512 ? half_converters_avx512() : half_converters_avx2();
  if (to == DType::F32 && from == DType::F16) return hardware.half_to_float;
  if (to == DType::F16 && from == DType::F32) return hardware.float_to_half;
  if (to == DType::F32 && from == DType::BF16) return hardware.bfloat16_to_float;
  if (to == DType::BF16 && from == DType::F32) return hardware.float_to_bfloat16;
#endif
  return nullptr;
}
}  // namespace

Convert converter(DType to, DType from) {
  if (const Convert hardware = hardware_converter(to, from)) return hardware;
#define ERSATZ_TO(D, ...) \
  case DType::D:          \
    return converter_from<CppTypeOf<DType::D>::T>(from);
  switch (to) { ERSATZ_DTYPES(ERSATZ_TO) }
#undef ERSATZ_TO
  return nullptr;
}

}  // namespace ersatz::pointwise
