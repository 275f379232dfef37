// The functions of vec/math.h for integers and bool. Signed overflow wraps around. Internal linkage, like vec.h.
#pragma once

#include "kernels/vec/formulas.h"

namespace ersatz::vec {
namespace {
namespace m {

// U<T> is the unsigned type of T's width. Wide<bytes> is the type to compute in, modulo 2^n: C++ would promote smaller
// unsigned types to int, whose overflow is undefined.
template <class T>
struct Unsigned {
  using type = T;
};
template <>
struct Unsigned<int8_t> {
  using type = uint8_t;
};
template <>
struct Unsigned<int16_t> {
  using type = uint16_t;
};
template <>
struct Unsigned<int32_t> {
  using type = uint32_t;
};
template <>
struct Unsigned<int64_t> {
  using type = uint64_t;
};
template <class T>
using U = typename Unsigned<T>::type;
template <int bytes>
struct Wide {
  using type = uint32_t;
};
template <>
struct Wide<8> {
  using type = uint64_t;
};

template <class V>
ERSATZ_HD V add(V a, V b) {
  return a + b;
}
template <class V>
ERSATZ_HD V sub(V a, V b) {
  return a - b;
}
template <class V>
ERSATZ_HD V mul(V a, V b) {
  return a * b;
}
template <class V>
ERSATZ_HD V neg(V x) {
  return -x;
}
#define ERSATZ_WRAPPING(T)                                                                        \
  ERSATZ_HD inline T add(T a, T b) { return static_cast<T>(U<T>(a) + U<T>(b)); }                  \
  ERSATZ_HD inline T sub(T a, T b) { return static_cast<T>(U<T>(a) - U<T>(b)); }                  \
  ERSATZ_HD inline T mul(T a, T b) {                                                              \
    return static_cast<T>(typename Wide<sizeof(T)>::type(a) * typename Wide<sizeof(T)>::type(b)); \
  }                                                                                               \
  ERSATZ_HD inline T neg(T x) { return static_cast<T>(U<T>(0) - U<T>(x)); }                       \
  ERSATZ_HD inline T abs(T x) { return x < 0 ? neg(x) : x; }                                      \
  ERSATZ_HD inline T floor(T x) { return x; }                                                     \
  ERSATZ_HD inline T ceil(T x) { return x; }                                                      \
  ERSATZ_HD inline T trunc(T x) { return x; }                                                     \
  ERSATZ_HD inline T rint(T x) { return x; }                                                      \
  ERSATZ_HD inline T sign(T x) { return static_cast<T>((x > 0) - (x < 0)); }                      \
  ERSATZ_HD inline T bitwise_not(T x) { return static_cast<T>(~x); }
ERSATZ_WRAPPING(uint8_t)
ERSATZ_WRAPPING(int8_t)
ERSATZ_WRAPPING(int16_t)
ERSATZ_WRAPPING(int32_t)
ERSATZ_WRAPPING(int64_t)
#undef ERSATZ_WRAPPING

ERSATZ_HD inline bool add(bool a, bool b) { return a | b; }
ERSATZ_HD inline bool mul(bool a, bool b) { return a & b; }
ERSATZ_HD inline bool sign(bool x) { return x; }
ERSATZ_HD inline bool bitwise_not(bool x) { return !x; }
ERSATZ_HD inline bool pow(bool a, bool b) { return a | !b; }
ERSATZ_HD inline bool bitwise_and(bool a, bool b) { return a & b; }
ERSATZ_HD inline bool bitwise_or(bool a, bool b) { return a | b; }
ERSATZ_HD inline bool bitwise_xor(bool a, bool b) { return a != b; }

/// Defines the functions that have the same body for integers and bool.
#define ERSATZ_INTEGRAL(T)                                    \
  ERSATZ_HD inline T conj(T x) { return x; }                  \
  ERSATZ_HD inline T sgn(T x) { return sign(x); }             \
  ERSATZ_HD inline bool is_nan(T) { return false; }           \
  ERSATZ_HD inline bool is_inf(T) { return false; }           \
  ERSATZ_HD inline bool is_posinf(T) { return false; }        \
  ERSATZ_HD inline bool is_neginf(T) { return false; }        \
  ERSATZ_HD inline bool is_finite(T) { return true; }         \
  ERSATZ_HD inline bool is_real(T) { return true; }           \
  ERSATZ_HD inline T max(T a, T b) { return a > b ? a : b; }  \
  ERSATZ_HD inline T min(T a, T b) { return a < b ? a : b; }  \
  ERSATZ_HD inline T fmax(T a, T b) { return a > b ? a : b; } \
  ERSATZ_HD inline T fmin(T a, T b) { return a < b ? a : b; } \
  ERSATZ_HD inline bool sign_bit(T x) { return x < T(0); }
ERSATZ_INTEGRAL(bool)
ERSATZ_INTEGRAL(uint8_t)
ERSATZ_INTEGRAL(int8_t)
ERSATZ_INTEGRAL(int16_t)
ERSATZ_INTEGRAL(int32_t)
ERSATZ_INTEGRAL(int64_t)
#undef ERSATZ_INTEGRAL

template <class T>
constexpr bool is_signed_integer = T(-1) < T(0);
template <class T>
constexpr int bits_of = sizeof(T) * 8;

template <class T>
ERSATZ_HD T bitwise_and(T a, T b) {
  return static_cast<T>(a & b);
}
template <class T>
ERSATZ_HD T bitwise_or(T a, T b) {
  return static_cast<T>(a | b);
}
template <class T>
ERSATZ_HD T bitwise_xor(T a, T b) {
  return static_cast<T>(a ^ b);
}
/// Both functions shift by b bits. If b is negative or at least the width of T, shift_left returns 0; shift_right
/// returns 0, or -1 for a negative a.
template <class T>
ERSATZ_HD T shift_left(T a, T b) {
  return b < T(0) || b >= T(bits_of<T>) ? T(0) : static_cast<T>(uint64_t(U<T>(a)) << b);
}
template <class T>
ERSATZ_HD T shift_right(T a, T b) {
  constexpr T last = bits_of<T> - 1;
  if (b < T(0) || b > last) return is_signed_integer<T> ? static_cast<T>(a >> last) : T(0);
  return static_cast<T>(a >> b);
}
/// Returns a / b rounded down. For b = 0 it returns 0, because the kernel raises the error, and not its loop.
template <class T>
ERSATZ_HD T floor_divide(T a, T b) {
  if (b == T(0)) return T(0);
  if (is_signed_integer<T> && b == T(-1)) return neg(a);
  T q = static_cast<T>(a / b);
  return a % b != 0 && (a < T(0)) != (b < T(0)) ? static_cast<T>(q - 1) : q;
}
template <class T>
ERSATZ_HD T trunc_divide(T a, T b) {
  if (b == T(0)) return T(0);
  return is_signed_integer<T> && b == T(-1) ? neg(a) : static_cast<T>(a / b);
}
template <class T>
ERSATZ_HD T fmod(T a, T b) {
  return b == T(0) || (is_signed_integer<T> && b == T(-1)) ? T(0) : static_cast<T>(a % b);
}
template <class T>
ERSATZ_HD T remainder(T a, T b) {
  T r = fmod(a, b);
  return r != 0 && (r < T(0)) != (b < T(0)) ? static_cast<T>(r + b) : r;
}
template <class T>
ERSATZ_HD T gcd(T a, T b) {
  U<T> x = U<T>(abs(a)), y = U<T>(abs(b));
  while (y != 0) {
    U<T> r = static_cast<U<T>>(x % y);
    x = y;
    y = r;
  }
  return static_cast<T>(x);
}
template <class T>
ERSATZ_HD T lcm(T a, T b) {
  T g = gcd(a, b);
  return g == T(0) ? T(0) : abs(mul(static_cast<T>(a / g), b));
}
/// Returns the power by repeated squaring. For a negative exponent it returns 0, except for the bases 1 and -1.
template <class T>
ERSATZ_HD T pow(T base, T exponent) {
  if (exponent < T(0)) return base == T(1) ? T(1) : base != T(-1) ? T(0) : exponent % 2 == 0 ? T(1) : T(-1);
  T result = 1;
  for (T e = exponent; e != T(0); e = static_cast<T>(e / 2)) {
    if (e % 2 != 0) result = mul(result, base);
    base = mul(base, base);
  }
  return result;
}

}  // namespace m
}  // namespace
}  // namespace ersatz::vec
