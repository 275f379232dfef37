// The loops of softmax. softmax_loops_baseline_cpu.cpp, softmax_loops_avx2.cpp and softmax_loops_avx512.cpp include
// this file, each for its own instruction set.
//
// A row stays in cache and is read three times: for its largest element, for the sum of exponentials, and for the
// result. NaN needs no check: if an element is NaN, the sum is NaN, and so is the result.
#include "kernels/reduction/softmax_loops.h"
#include "kernels/vec/lanes.h"
#include "kernels/vec/math.h"

namespace ersatz {
namespace {

using vec::Vec;
namespace m = vec::m;

constexpr int64_t kPiece = 4096;  // exponentials that are summed as T; these sums are added as doubles
constexpr int kAtOnce = 4;  // vectors that are summed independently, because a single sum would wait for each addition

template <class T>
constexpr T kLowest = T(-__builtin_inf());

/// Calls f(k, index, count) for each vector of `count` elements at `index`. The number k, below kAtOnce, is different
/// for vectors that are processed at the same time.
template <class T, class F>
void for_each_vector(int64_t n, F&& f) {
  constexpr int64_t w = Vec<T>::kLanes;
  int64_t i = 0;
  for (; i + kAtOnce * w <= n; i += kAtOnce * w) {
    for (int k = 0; k < kAtOnce; ++k) f(k, i + k * w, w);
  }
  for (; i + w <= n; i += w) f(0, i, w);
  if (i < n) f(1, i, n - i);
}

/// Loads n lanes. The other lanes are -inf, which changes neither a maximum nor a sum of exponentials.
template <class T>
Vec<T> load(const T* x, int64_t n) {
  return n == Vec<T>::kLanes ? Vec<T>::load(x) : Vec<T>::load_part(x, n, kLowest<T>);
}
template <class T>
void store(Vec<T> v, T* y, int64_t n) {
  n == Vec<T>::kLanes ? v.store(y) : v.store_part(y, n);
}

/// Returns a vector with the largest element that is not NaN in each lane; -inf if there is none.
template <class T>
Vec<T> largest(const T* x, int64_t n) {
  Vec<T> top[kAtOnce];
  for (Vec<T>& t : top) t = Vec<T>(kLowest<T>);
  for_each_vector<T>(n, [&](int k, int64_t i, int64_t count) { top[k] = m::greater_of(load(x + i, count), top[k]); });
  const auto greater = [](Vec<T> a, Vec<T> b) { return m::greater_of(a, b); };
  return vec::fold(greater(greater(top[0], top[1]), greater(top[2], top[3])), greater);
}

/// Returns the sum of e^(x - highest). If `kept`, also writes its terms to `y`.
template <bool kept, class T>
double sum_of_exponentials(const T* x, T* y, int64_t n, Vec<T> highest) {
  double sum = 0;
  for (int64_t begin = 0; begin < n; begin += kPiece) {
    Vec<T> sums[kAtOnce];
    for (Vec<T>& s : sums) s = Vec<T>(T(0));
    for_each_vector<T>(n - begin < kPiece ? n - begin : kPiece, [&](int k, int64_t i, int64_t count) {
      const Vec<T> e = m::exp(load(x + begin + i, count) - highest);
      if constexpr (kept) store(e, y + begin + i, count);
      sums[k] = sums[k] + e;
    });
    const Vec<T> all = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    sum += double(vec::fold(all, [](Vec<T> a, Vec<T> b) { return a + b; }).v[0]);
  }
  return sum;
}

template <class T>
bool all_hidden(const T* x, int64_t n, int64_t step) {
  for (int64_t i = 0; i < n; ++i) {
    if (!(x[i * step] == kLowest<T>)) return false;
  }
  return true;
}

template <class T>
void softmax_row(const T* x, T* y, int64_t n, SoftmaxKind kind) {
  const Vec<T> highest = largest(x, n);
  if (kind == SoftmaxKind::Logarithms) {
    const Vec<T> logarithm(T(__builtin_log(sum_of_exponentials<false>(x, y, n, highest))));
    for_each_vector<T>(n, [&](int, int64_t i, int64_t count) {
      store((load(x + i, count) - highest) - logarithm, y + i, count);
    });
    return;
  }
  if (kind == SoftmaxKind::HiddenRowsAreZero && highest.v[0] == kLowest<T> && all_hidden(x, n, 1)) {
    for (int64_t i = 0; i < n; ++i) y[i] = T(0);
    return;
  }
  const Vec<T> factor(T(1 / sum_of_exponentials<true>(x, y, n, highest)));
  for_each_vector<T>(n, [&](int, int64_t i, int64_t count) { store(load(y + i, count) * factor, y + i, count); });
}

/// Computes adjacent columns together: `vectors` whole vectors of columns, or only `width` columns if that is less than
/// a vector.
template <int vectors, class T>
void softmax_columns(const T* x, T* y, int64_t n, int64_t inner, int64_t width, T* scratch, SoftmaxKind kind) {
  constexpr int64_t w = Vec<T>::kLanes;
  const int64_t count = width < w ? width : w, step = vectors * count;
  Vec<T> top[vectors], sum[vectors];
  for (int k = 0; k < vectors; ++k) top[k] = Vec<T>(kLowest<T>), sum[k] = Vec<T>(T(0));
  for (int64_t i = 0; i < n; ++i) {
    for (int k = 0; k < vectors; ++k) top[k] = m::greater_of(load(x + i * inner + k * w, count), top[k]);
  }
  T sums[vectors * w];
  double wide[vectors * w] = {};
  for (int64_t begin = 0; begin < n; begin += kPiece) {
    for (int k = 0; k < vectors; ++k) sum[k] = Vec<T>(T(0));
    for (int64_t i = begin; i < n && i < begin + kPiece; ++i) {
      for (int k = 0; k < vectors; ++k) {
        const Vec<T> e = m::exp(load(x + i * inner + k * w, count) - top[k]);
        if (kind != SoftmaxKind::Logarithms) store(e, scratch + i * step + k * w, count);
        sum[k] = sum[k] + e;
      }
    }
    for (int k = 0; k < vectors; ++k) sum[k].store(sums + k * w);
    for (int64_t j = 0; j < vectors * w; ++j) wide[j] += double(sums[j]);
  }
  const bool logarithms = kind == SoftmaxKind::Logarithms;
  for (int64_t j = 0; j < vectors * w; ++j) sums[j] = T(logarithms ? __builtin_log(wide[j]) : 1 / wide[j]);
  for (int k = 0; k < vectors; ++k) sum[k] = Vec<T>::load(sums + k * w);
  for (int64_t i = 0; i < n; ++i) {
    for (int k = 0; k < vectors; ++k) {
      const int64_t at = i * inner + k * w;
      store(logarithms ? (load(x + at, count) - top[k]) - sum[k] : load(scratch + i * step + k * w, count) * sum[k],
            y + at, count);
    }
  }
}

template <class T>
void softmax_all_columns(const T* x, T* y, int64_t n, int64_t inner, int64_t width, T* scratch, SoftmaxKind kind) {
  constexpr int64_t w = Vec<T>::kLanes;
  bool hidden[kSoftmaxColumns] = {};
  for (int64_t j = 0; kind == SoftmaxKind::HiddenRowsAreZero && j < width; ++j) hidden[j] = all_hidden(x + j, n, inner);
  int64_t j = 0;
  for (; j + kAtOnce * w <= width; j += kAtOnce * w) {
    softmax_columns<kAtOnce>(x + j, y + j, n, inner, width - j, scratch, kind);
  }
  for (; j < width; j += w) softmax_columns<1>(x + j, y + j, n, inner, width - j, scratch, kind);
  for (j = 0; j < width; ++j) {
    for (int64_t i = 0; hidden[j] && i < n; ++i) y[i * inner + j] = T(0);
  }
}

void fill_softmax_loops(SoftmaxLoopTable& table) {
  table.of_float = {softmax_row<float>, softmax_all_columns<float>};
  table.of_double = {softmax_row<double>, softmax_all_columns<double>};
}

}  // namespace
}  // namespace ersatz
