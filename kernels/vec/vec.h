// SIMD vectors of float and double, as wide as the instruction set of the including file.
//
// Everything here has internal linkage (an unnamed namespace), so that code compiled for AVX-512 never runs in a file
// compiled for less. So only sources that are built for each instruction set may include this header, and headers that
// only these sources include. vec/math.h has the same functions for `Vec` and for numbers, so that one expression works
// for both.
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

/// Vector types of the compiler: N for numbers, M for the results of comparisons, B for one byte for each lane.
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

/// The result of a comparison: in each lane all bits are set (true) or clear (false).
template <class T>
struct Mask {
  using M = typename Native<T>::M;
  M m;
  Mask operator&(Mask o) const { return {m & o.m}; }
  Mask operator|(Mask o) const { return {m | o.m}; }
  Mask operator!() const { return {~m}; }
};

template <class T>
struct Vec;
// load_lanes loads the first n lanes of a vector and takes the other lanes from `rest`. store_lanes stores the first n
// lanes.
template <class T>
Vec<T> load_lanes(const T* p, int64_t n, Vec<T> rest);
template <class T>
void store_lanes(T* p, int64_t n, Vec<T> x);

template <class T>
struct Vec {
  using N = typename Native<T>::N;
  using Lane = T;
  static constexpr int kLanes = kVecBytes / sizeof(T);
  N v;

  Vec() = default;
  Vec(N n) : v(n) {}
  Vec(T x) : v(x - N{}) {}  // x - 0, unlike x + 0, keeps the sign of -0
  static Vec load(const T* p) {
    Vec r;
    memcpy(&r.v, p, kVecBytes);
    return r;
  }
  void store(T* p) const { memcpy(p, &v, kVecBytes); }
  /// Loads the first n lanes. The other lanes are `fill`.
  static Vec load_part(const T* p, int64_t n, T fill) { return load_lanes(p, n, Vec(fill)); }
  void store_part(T* p, int64_t n) const { store_lanes(p, n, *this); }

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

#if defined(__AVX512F__)
template <>
inline Vec<float> load_lanes(const float* p, int64_t n, Vec<float> rest) {
  return Vec<float>(_mm512_mask_loadu_ps(rest.v, static_cast<__mmask16>((1u << n) - 1), p));
}
template <>
inline Vec<double> load_lanes(const double* p, int64_t n, Vec<double> rest) {
  return Vec<double>(_mm512_mask_loadu_pd(rest.v, static_cast<__mmask8>((1u << n) - 1), p));
}
template <>
inline void store_lanes(float* p, int64_t n, Vec<float> x) {
  _mm512_mask_storeu_ps(p, static_cast<__mmask16>((1u << n) - 1), x.v);
}
template <>
inline void store_lanes(double* p, int64_t n, Vec<double> x) {
  _mm512_mask_storeu_pd(p, static_cast<__mmask8>((1u << n) - 1), x.v);
}
#elif defined(__AVX2__)
inline __m256i first_lanes_of_8(int64_t n) {
  return _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(n)), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}
inline __m256i first_lanes_of_4(int64_t n) {
  return _mm256_cmpgt_epi64(_mm256_set1_epi64x(n), _mm256_setr_epi64x(0, 1, 2, 3));
}
template <>
inline Vec<float> load_lanes(const float* p, int64_t n, Vec<float> rest) {
  const __m256i first = first_lanes_of_8(n);
  return Vec<float>(_mm256_blendv_ps(rest.v, _mm256_maskload_ps(p, first), _mm256_castsi256_ps(first)));
}
template <>
inline Vec<double> load_lanes(const double* p, int64_t n, Vec<double> rest) {
  const __m256i first = first_lanes_of_4(n);
  return Vec<double>(_mm256_blendv_pd(rest.v, _mm256_maskload_pd(p, first), _mm256_castsi256_pd(first)));
}
template <>
inline void store_lanes(float* p, int64_t n, Vec<float> x) {
  _mm256_maskstore_ps(p, first_lanes_of_8(n), x.v);
}
template <>
inline void store_lanes(double* p, int64_t n, Vec<double> x) {
  _mm256_maskstore_pd(p, first_lanes_of_4(n), x.v);
}
#else
template <class T>
Vec<T> load_lanes(const T* p, int64_t n, Vec<T> rest) {
  memcpy(&rest.v, p, n * sizeof(T));
  return rest;
}
template <class T>
void store_lanes(T* p, int64_t n, Vec<T> x) {
  memcpy(p, &x.v, n * sizeof(T));
}
#endif

/// Stores each lane as one byte, 0 or 1, like the elements of a bool tensor.
template <class T>
void store_bools(Mask<T> mask, uint8_t* to, int64_t n) {
  using B = typename Native<T>::B;
  B bytes = __builtin_convertvector(mask.m, B) & B(B{} + 1);
  memcpy(to, &bytes, n);
}

namespace m {

template <class T>
Vec<T> select(Mask<T> mask, Vec<T> yes, Vec<T> no) {
  return mask.m ? yes.v : no.v;
}
template <class T>
T select(bool mask, T yes, T no) {
  return mask ? yes : no;
}

template <class T>
Vec<T> abs(Vec<T> x) {
  typedef typename Mask<T>::M M;
  const M sign = (M)Vec<T>(T(-0.0)).v;
  return (typename Vec<T>::N)((M)x.v & ~sign);
}

// a > b ? a : b and a < b ? a : b, each by one instruction. If a or b is NaN, the result is b.
#if defined(__AVX512F__)
// The zero-masking intrinsics are used, because the unmasked ones read an undefined register, which g++ warns about.
inline Vec<float> greater_of(Vec<float> a, Vec<float> b) { return Vec<float>(_mm512_maskz_max_ps(0xffff, a.v, b.v)); }
inline Vec<double> greater_of(Vec<double> a, Vec<double> b) { return Vec<double>(_mm512_maskz_max_pd(0xff, a.v, b.v)); }
inline Vec<float> lesser_of(Vec<float> a, Vec<float> b) { return Vec<float>(_mm512_maskz_min_ps(0xffff, a.v, b.v)); }
#elif defined(__AVX2__)
inline Vec<float> greater_of(Vec<float> a, Vec<float> b) { return Vec<float>(_mm256_max_ps(a.v, b.v)); }
inline Vec<double> greater_of(Vec<double> a, Vec<double> b) { return Vec<double>(_mm256_max_pd(a.v, b.v)); }
inline Vec<float> lesser_of(Vec<float> a, Vec<float> b) { return Vec<float>(_mm256_min_ps(a.v, b.v)); }
#else
template <class T>
Vec<T> greater_of(Vec<T> a, Vec<T> b) {
  return select(a > b, a, b);
}
template <class T>
Vec<T> lesser_of(Vec<T> a, Vec<T> b) {
  return select(a < b, a, b);
}
#endif

inline float abs(float x) { return __builtin_fabsf(x); }
inline double abs(double x) { return __builtin_fabs(x); }

// These functions combine conditions: Masks of lanes, or bools.
template <class T>
Mask<T> both(Mask<T> p, Mask<T> q) {
  return p & q;
}
template <class T>
Mask<T> either(Mask<T> p, Mask<T> q) {
  return p | q;
}
template <class T>
Mask<T> differ(Mask<T> p, Mask<T> q) {
  return {p.m ^ q.m};
}
inline bool both(bool p, bool q) { return p && q; }
inline bool either(bool p, bool q) { return p || q; }
inline bool differ(bool p, bool q) { return p != q; }

}  // namespace m
}  // namespace
}  // namespace ersatz::vec
