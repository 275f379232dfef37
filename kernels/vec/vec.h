// SIMD vectors of float and double, as wide as the file that includes this is compiled for.
//
// Everything here has internal linkage (an unnamed namespace): a file compiled for AVX-512 never lends its code to one
// that is not. Include it only from sources built per instruction set, and from headers that only those include. `Vec`
// and plain numbers share the vocabulary of vec/math.h, so one expression serves both.
#pragma once

#include <stdint.h>
#include <string.h>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace ersatz::vec {
namespace {

#if defined(__AVX512F__)
constexpr int kVecBytes = 64;
#elif defined(__AVX2__)
constexpr int kVecBytes = 32;
#else
constexpr int kVecBytes = 16;
#endif

/// The compilers' vector types: N of the lanes, M of a comparison's results, B of a byte per lane.
template <class T>
struct Native;
template <>
struct Native<float> {
  typedef float N __attribute__((vector_size(kVecBytes)));
  typedef int32_t M __attribute__((vector_size(kVecBytes)));
  typedef int8_t B __attribute__((vector_size(kVecBytes / 4)));
};
template <>
struct Native<double> {
  typedef double N __attribute__((vector_size(kVecBytes)));
  typedef int64_t M __attribute__((vector_size(kVecBytes)));
  typedef int8_t B __attribute__((vector_size(kVecBytes / 8)));
};

/// One comparison result per lane, all bits set or clear.
template <class T>
struct Mask {
  using M = typename Native<T>::M;
  M m;
  Mask operator&(Mask o) const { return {m & o.m}; }
  Mask operator|(Mask o) const { return {m | o.m}; }
  Mask operator!() const { return {~m}; }
};

template <class T>
struct Vec {
  using N = typename Native<T>::N;
  using Lane = T;
  static constexpr int kLanes = kVecBytes / sizeof(T);
  N v;

  Vec() = default;
  Vec(N n) : v(n) {}
  Vec(T x) : v(x - N{}) {}  // x - 0 keeps the sign of -0
  static Vec load(const T* p) {
    Vec r;
    memcpy(&r.v, p, kVecBytes);
    return r;
  }
  void store(T* p) const { memcpy(p, &v, kVecBytes); }
  /// The first n lanes; the others are what `fill` is.
  static Vec load_part(const T* p, int64_t n, T fill) {
    Vec r(fill);
    memcpy(&r.v, p, n * sizeof(T));
    return r;
  }
  void store_part(T* p, int64_t n) const { memcpy(p, &v, n * sizeof(T)); }

  friend Vec operator+(Vec a, Vec b) { return a.v + b.v; }
  friend Vec operator-(Vec a, Vec b) { return a.v - b.v; }
  friend Vec operator*(Vec a, Vec b) { return a.v * b.v; }
  friend Vec operator/(Vec a, Vec b) { return a.v / b.v; }
  Vec operator-() const { return -v; }
  friend Mask<T> operator<(Vec a, Vec b) { return {(typename Mask<T>::M)(a.v < b.v)}; }
  friend Mask<T> operator<=(Vec a, Vec b) { return {(typename Mask<T>::M)(a.v <= b.v)}; }
  friend Mask<T> operator>(Vec a, Vec b) { return {(typename Mask<T>::M)(a.v > b.v)}; }
  friend Mask<T> operator>=(Vec a, Vec b) { return {(typename Mask<T>::M)(a.v >= b.v)}; }
  friend Mask<T> operator==(Vec a, Vec b) { return {(typename Mask<T>::M)(a.v == b.v)}; }
  friend Mask<T> operator!=(Vec a, Vec b) { return {(typename Mask<T>::M)(a.v != b.v)}; }
};

/// One byte a lane, 0 or 1: how bool tensors are stored.
template <class T>
void store_bools(Mask<T> mask, uint8_t* to, int64_t n) {
  using B = typename Native<T>::B;
  B bytes = __builtin_convertvector(mask.m, B) & B(B{} + 1);
  memcpy(to, &bytes, n);
}

}  // namespace
}  // namespace ersatz::vec
