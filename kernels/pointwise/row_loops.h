// The loops that evaluate a row's expression, and the function that fills a RowTable with these loops. Internal
// linkage: each rows_*.cpp includes this file once and is compiled for its own instruction set.
#pragma once

#include "kernels/pointwise/math_airy.h"
#include "kernels/pointwise/math_gamma.h"
#include "kernels/pointwise/math_polynomials.h"
#include "kernels/pointwise/row.h"
#include "kernels/pointwise/row_kinds.h"
#include "kernels/vec/math.h"
#include "kernels/vec/math_integers.h"

#if defined(__clang__)
#define ERSATZ_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define ERSATZ_INDEPENDENT _Pragma("GCC ivdep")
#endif

namespace ersatz::pointwise {
namespace {

using vec::Mask;
using vec::Vec;
namespace m = vec::m;

/// The parameters of an op (`alpha`, for example), converted to the type of the elements.
template <class V>
struct Params {
  V value[4];
  explicit Params(const RowParams& p) : value{V(p.integer[0]), V(p.integer[1]), V(p.integer[2]), V(p.integer[3])} {}
  V operator[](int i) const { return value[i]; }
};
template <class T>
struct Params<Vec<T>> {
  Vec<T> value[4];
  explicit Params(const RowParams& p) : value{T(p.re[0]), T(p.re[1]), T(p.re[2]), T(p.re[3])} {}
  Vec<T> operator[](int i) const { return value[i]; }
};
template <>
struct Params<float> {
  float value[4];
  explicit Params(const RowParams& p) : value{float(p.re[0]), float(p.re[1]), float(p.re[2]), float(p.re[3])} {}
  float operator[](int i) const { return value[i]; }
};
template <>
struct Params<double> {
  double value[4];
  explicit Params(const RowParams& p) : value{p.re[0], p.re[1], p.re[2], p.re[3]} {}
  double operator[](int i) const { return value[i]; }
};

// Writes a vector of results: numbers are stored as elements, the Mask of a comparison as bytes 0 or 1.
template <class T>
void write(Vec<T> r, void* out, int64_t i, int64_t n) {
  T* o = static_cast<T*>(out) + i;
  n == Vec<T>::kLanes ? r.store(o) : r.store_part(o, n);
}
template <class T>
void write(Mask<T> r, void* out, int64_t i, int64_t n) {
  vec::store_bools(r, static_cast<uint8_t*>(out) + i, n);
}

/// Computes in vectors. The last elements of a run are computed as a vector too, so that values do not depend on the
/// index.
template <class R, class T, int kInputs>
void vector_loop(void* const* data, int64_t n, const RowParams& params) {
  using V = Vec<T>;
  constexpr int64_t w = V::kLanes;
  const Params<V> p(params);
  const T* a = static_cast<const T*>(data[1]);
  const T* b = kInputs > 1 ? static_cast<const T*>(data[2]) : nullptr;
  const T* c = kInputs > 2 ? static_cast<const T*>(data[3]) : nullptr;
  int64_t i = 0;
  for (; i + w <= n; i += w) {
    if constexpr (kInputs == 1) write(R::f(V::load(a + i), p), data[0], i, w);
    if constexpr (kInputs == 2) write(R::f(V::load(a + i), V::load(b + i), p), data[0], i, w);
    if constexpr (kInputs == 3) write(R::f(V::load(a + i), V::load(b + i), V::load(c + i), p), data[0], i, w);
  }
  if (int64_t rest = n - i; rest > 0) {
    V x = V::load_part(a + i, rest, T(1));
    if constexpr (kInputs == 1) {
      write(R::f(x, p), data[0], i, rest);
    } else {
      V y = V::load_part(b + i, rest, T(1));
      if constexpr (kInputs == 2) write(R::f(x, y, p), data[0], i, rest);
      if constexpr (kInputs == 3) write(R::f(x, y, V::load_part(c + i, rest, T(1)), p), data[0], i, rest);
    }
  }
}

/// Computes one number at a time. A number result is stored in the element's type, a comparison as a byte.
template <class R, class T, int kInputs>
void number_loop(void* const* data, int64_t n, const RowParams& params) {
  const Params<T> p(params);
  const T* a = static_cast<const T*>(data[1]);
  const T* b = kInputs > 1 ? static_cast<const T*>(data[2]) : nullptr;
  const T* c = kInputs > 2 ? static_cast<const T*>(data[3]) : nullptr;
  if constexpr (kInputs == 1) {
    using O = decltype(R::f(T(), p));
    O* o = static_cast<O*>(data[0]);
    ERSATZ_INDEPENDENT for (int64_t i = 0; i < n; ++i) o[i] = R::f(a[i], p);
  } else if constexpr (kInputs == 2) {
    using O = decltype(R::f(T(), T(), p));
    O* o = static_cast<O*>(data[0]);
    ERSATZ_INDEPENDENT for (int64_t i = 0; i < n; ++i) o[i] = R::f(a[i], b[i], p);
  } else {
    using O = decltype(R::f(T(), T(), T(), p));
    O* o = static_cast<O*>(data[0]);
    ERSATZ_INDEPENDENT for (int64_t i = 0; i < n; ++i) o[i] = R::f(a[i], b[i], c[i], p);
  }
}

enum Place : int { kBool, kU8, kI8, kI16, kI32, kI64, kF16, kBF16, kF32, kF64, kC64, kC128 };

}  // namespace
}  // namespace ersatz::pointwise
