// The vocabulary of vec/math.h for integers and bool. Signed overflow wraps. Internal linkage, like vec.h.
#pragma once

#include "kernels/vec/math.h"

namespace ersatz::vec {
namespace {
namespace m {

// Small unsigned types are computed in int by the language; these are computed modulo 2^n.
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
V add(V a, V b) {
  return a + b;
}
template <class V>
V sub(V a, V b) {
  return a - b;
}
template <class V>
V mul(V a, V b) {
  return a * b;
}
template <class V>
V neg(V x) {
  return -x;
}
#define ERSATZ_WRAPPING(T)                                                                        \
  inline T add(T a, T b) { return static_cast<T>(U<T>(a) + U<T>(b)); }                            \
  inline T sub(T a, T b) { return static_cast<T>(U<T>(a) - U<T>(b)); }                            \
  inline T mul(T a, T b) {                                                                        \
    return static_cast<T>(typename Wide<sizeof(T)>::type(a) * typename Wide<sizeof(T)>::type(b)); \
  }                                                                                               \
  inline T neg(T x) { return static_cast<T>(U<T>(0) - U<T>(x)); }                                 \
  inline T abs(T x) { return x < 0 ? neg(x) : x; }                                                \
  inline T floor(T x) { return x; }                                                               \
  inline T ceil(T x) { return x; }                                                                \
  inline T trunc(T x) { return x; }                                                               \
  inline T rint(T x) { return x; }                                                                \
  inline T sign(T x) { return static_cast<T>((x > 0) - (x < 0)); }                                \
  inline T bitwise_not(T x) { return static_cast<T>(~x); }
ERSATZ_WRAPPING(uint8_t)
ERSATZ_WRAPPING(int8_t)
ERSATZ_WRAPPING(int16_t)
ERSATZ_WRAPPING(int32_t)
ERSATZ_WRAPPING(int64_t)
#undef ERSATZ_WRAPPING

inline bool add(bool a, bool b) { return a | b; }
inline bool mul(bool a, bool b) { return a & b; }
inline bool sign(bool x) { return x; }
inline bool bitwise_not(bool x) { return !x; }

template <class V>
V sign(V x) {
  return select(x > V(0), V(1), select(x < V(0), V(-1), x));
}

}  // namespace m
}  // namespace
}  // namespace ersatz::vec
