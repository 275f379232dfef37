// Fourier transforms of lines (1-d). line_loops.inl is compiled once per instruction set and includes this header,
// which therefore has plain types only and no inline functions.
//
// A vector has one number from each of `lanes` lines, so that `lanes` lines are transformed at once. They are lines of
// a tensor, or the shorter lines into which a long line is split.
#pragma once

#include <stdint.h>

namespace ersatz {

/// The stages of a forward transform of n points. T is f32 or f64.
template <class T>
struct LineStages {
  int64_t n = 1;
  int64_t count = 0;
  const int64_t* radices = nullptr;  ///< their product is n
  /// The twiddle factors of all stages, stage by stage. Each stage divides m, the number of points before it, by its
  /// radix. It has the factors exp(-2 pi i p k / m) for 0 < p < m / radix and 0 < k < radix. A stage whose radix has no
  /// dedicated code begins with exp(-2 pi i k / radix) for 0 <= k < radix.
  const T* twiddles = nullptr;
};

/// Lines in memory whose points are `step` numbers apart. A complex number is a pair of numbers.
template <class T>
struct Lines {
  T* data = nullptr;
  const int64_t* starts = nullptr;  ///< the offset of each line, in numbers
  int64_t step = 2;
};

/// One block of lines. All lines are read before any line is written.
template <class T>
struct LineBlock {
  Lines<const T> from;
  Lines<T> to;
  int64_t count = 0;     ///< number of lines, at most `lanes`
  bool inverse = false;  ///< true: real and imaginary parts are exchanged before and after the transform
  T factor = 1;          ///< multiplies the result
  T* work = nullptr;     ///< scratch for 4 * lanes * n numbers
};

/// One row-major line of a * b points. It is transformed as b lines of a points and a lines of b points. REQUIRES: a
/// and b are multiples of `lanes`.
template <class T>
struct SplitLine {
  LineStages<T> a, b;
  /// exp(-2 pi i j k / (a b)) with j < b innermost: all real parts, then all imaginary parts
  const T* twiddles = nullptr;
  const T* from = nullptr;
  T* to = nullptr;
  bool inverse = false;
  T factor = 1;
  T* work = nullptr;  ///< scratch for 2 a b + 4 lanes max(a, b) numbers
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
