// Fourier transforms of lines, compiled once per instruction set (line_loops.inl). Included by those files too: plain
// types only, no inline functions.
//
// A vector holds one number of `lanes` lines, so that lines are transformed side by side: lines of a tensor, or the
// shorter ones that a long line is split into.
#pragma once

#include <stdint.h>

namespace ersatz {

/// Stages of a transform of n points, forward. T is f32 or f64.
template <class T>
struct LineStages {
  int64_t n = 1;
  int64_t count = 0;
  const int64_t* radices = nullptr;  ///< whose product is n
  /// Of each stage in turn, m being what is left of n: for 0 < p < m / radix and 0 < k < radix, exp(-2 pi i p k / m);
  /// before them, of a radix without code of its own, exp(-2 pi i k / radix) for 0 <= k < radix.
  const T* twiddles = nullptr;
};

/// Lines whose points are `step` numbers apart; complex ones are pairs of numbers.
template <class T>
struct Lines {
  T* data = nullptr;
  const int64_t* starts = nullptr;  ///< of each line, in numbers
  int64_t step = 2;
};

/// One block of lines. They are read before any is written.
template <class T>
struct LineBlock {
  Lines<const T> from;
  Lines<T> to;
  int64_t count = 0;     ///< of lines, at most `lanes`
  bool inverse = false;  ///< real and imaginary parts change places, before and after
  T factor = 1;          ///< of the result
  T* work = nullptr;     ///< 4 lanes n numbers
};

/// One row-major line of a b points as b lines of a points and a lines of b points; both are multiples of `lanes`.
template <class T>
struct SplitLine {
  LineStages<T> a, b;
  const T* twiddles =
      nullptr;  ///< exp(-2 pi i j k / (a b)), first all real and then all imaginary parts, j < b innermost
  const T* from = nullptr;
  T* to = nullptr;
  bool inverse = false;
  T factor = 1;
  T* work = nullptr;  ///< 2 a b + 4 lanes max(a, b) numbers
};

template <class T>
struct LineLoops {
  int64_t lanes = 0;
  void (*block)(const LineStages<T>&, const LineBlock<T>&) = nullptr;
  void (*split)(const SplitLine<T>&) = nullptr;
};
struct LineLoopTable {
  LineLoops<float> of_float;
  LineLoops<double> of_double;
};

void fill_line_loops_baseline(LineLoopTable& table);
void fill_line_loops_avx2(LineLoopTable& table);
void fill_line_loops_avx512(LineLoopTable& table);

}  // namespace ersatz
