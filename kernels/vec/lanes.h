// Shuffles of vectors, and unrolled loops over arrays of vectors that stay in registers. Internal linkage, like vec.h.
#pragma once

#include "kernels/vec/vec.h"

namespace ersatz::vec {
namespace {

/// Calls f(0) ... f(n - 1), unrolled by recursion. A loop would be unrolled too late: the compiler would have put an
/// array of vectors in memory before, and filled it with zeros by a function call.
template <int n, class F>
[[gnu::always_inline]] inline void unrolled(F&& f) {
  if constexpr (n > 0) unrolled<n - 1>(f), f(n - 1);
}

/// Carries the lane numbers as template arguments. LanesTo<n>::type is Lanes<0, 1, ... n - 1>.
template <int... i>
struct Lanes {};
template <int n, int... i>
struct LanesTo : LanesTo<n - 1, n - 1, i...> {};
template <int... i>
struct LanesTo<0, i...> {
  using type = Lanes<i...>;
};
template <class T>
using AllLanes = typename LanesTo<Vec<T>::kLanes>::type;

/// Swaps the lanes of `a` whose number has the bit `half` with the lanes of `b` whose number does not have it.
template <int half, class T, int... i>
[[gnu::always_inline]] inline void exchange(Vec<T>& a, Vec<T>& b, Lanes<i...>) {
  constexpr int w = Vec<T>::kLanes;
  const auto low = __builtin_shufflevector(a.v, b.v, (i & half ? w + i - half : i)...);
  b.v = __builtin_shufflevector(a.v, b.v, (i & half ? w + i : i + half)...);
  a.v = low;
}
/// Transposes w vectors of w lanes: lane l of row r becomes lane r of row l.
template <int half = 1, class T, int w>
[[gnu::always_inline]] inline void transpose(Vec<T> (&rows)[w]) {
  static_assert(w == Vec<T>::kLanes);
  if constexpr (half < w) {
    for (int r = 0; r < w; ++r) {
      if (!(r & half)) exchange<half>(rows[r], rows[r + half], AllLanes<T>());
    }
    transpose<2 * half>(rows);
  }
}

template <int by, class T, int... i>
[[gnu::always_inline]] inline Vec<T> rotated(Vec<T> v, Lanes<i...>) {
  return __builtin_shufflevector(v.v, v.v, ((i + by) % Vec<T>::kLanes)...);
}
/// Combines all lanes by f, half with half repeatedly; each lane of the result has the total. REQUIRES: f is
/// commutative.
template <int half, class T, class F>
[[gnu::always_inline]] inline Vec<T> fold_halves(Vec<T> v, F&& f) {
  v = f(v, rotated<half>(v, AllLanes<T>()));
  if constexpr (half > 1) {
    return fold_halves<half / 2>(v, f);
  } else {
    return v;
  }
}
template <class T, class F>
[[gnu::always_inline]] inline Vec<T> fold(Vec<T> v, F&& f) {
  return fold_halves<Vec<T>::kLanes / 2>(v, f);
}

/// Returns a vector whose lane r has the sum of all lanes of rows[r].
template <int half, class T, int w>
[[gnu::always_inline]] inline Vec<T> row_sums(Vec<T> (&rows)[w]) {
  unrolled<half>([&](int r) __attribute__((always_inline)) {
    exchange<half>(rows[r], rows[r + half], AllLanes<T>());
    rows[r] = rows[r] + rows[r + half];
  });
  if constexpr (half > 1) {
    return row_sums<half / 2>(rows);
  } else {
    return rows[0];
  }
}
template <class T, int w>
[[gnu::always_inline]] inline Vec<T> row_sums(Vec<T> (&rows)[w]) {
  static_assert(w == Vec<T>::kLanes);
  return row_sums<w / 2>(rows);
}

template <class T, int... i>
[[gnu::always_inline]] inline void separate(Vec<T>& a, Vec<T>& b, Lanes<i...>) {
  const auto even = __builtin_shufflevector(a.v, b.v, 2 * i...);
  b.v = __builtin_shufflevector(a.v, b.v, (2 * i + 1)...);
  a.v = even;
}
/// Reads a and b as one sequence. `a` gets its elements at even positions, `b` those at odd positions.
template <class T>
[[gnu::always_inline]] inline void separate(Vec<T>& a, Vec<T>& b) {
  separate(a, b, AllLanes<T>());
}
template <class T, int... i>
[[gnu::always_inline]] inline void interleave(Vec<T>& a, Vec<T>& b, Lanes<i...>) {
  constexpr int w = Vec<T>::kLanes;
  const auto first = __builtin_shufflevector(a.v, b.v, (i / 2 + (i % 2 ? w : 0))...);
  b.v = __builtin_shufflevector(a.v, b.v, (w / 2 + i / 2 + (i % 2 ? w : 0))...);
  a.v = first;
}
/// Undoes `separate`: a and b are merged alternately into one sequence.
template <class T>
[[gnu::always_inline]] inline void interleave(Vec<T>& a, Vec<T>& b) {
  interleave(a, b, AllLanes<T>());
}

}  // namespace
}  // namespace ersatz::vec
