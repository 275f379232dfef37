// Shuffles of vectors: lanes and rows change places. Internal to the file that includes it, as vec.h.
#pragma once

#include "kernels/vec/vec.h"

namespace ersatz::vec {
namespace {

/// 0, 1, ... N - 1.
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

/// Lanes of a whose number has the bit `half`, and those of b beside them without it, change places.
template <int half, class T, int... i>
[[gnu::always_inline]] inline void exchange(Vec<T>& a, Vec<T>& b, Lanes<i...>) {
  constexpr int w = Vec<T>::kLanes;
  const auto low = __builtin_shufflevector(a.v, b.v, (i & half ? w + i - half : i)...);
  b.v = __builtin_shufflevector(a.v, b.v, (i & half ? w + i : i + half)...);
  a.v = low;
}
/// Row r, lane l becomes row l, lane r.
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

template <class T, int... i>
[[gnu::always_inline]] inline void separate(Vec<T>& a, Vec<T>& b, Lanes<i...>) {
  const auto even = __builtin_shufflevector(a.v, b.v, 2 * i...);
  b.v = __builtin_shufflevector(a.v, b.v, (2 * i + 1)...);
  a.v = even;
}
/// a and b in a row become their even lanes and their odd ones.
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
/// The other way round.
template <class T>
[[gnu::always_inline]] inline void interleave(Vec<T>& a, Vec<T>& b) {
  interleave(a, b, AllLanes<T>());
}

}  // namespace
}  // namespace ersatz::vec
