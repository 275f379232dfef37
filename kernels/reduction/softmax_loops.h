// The loops of softmax over rows and columns, compiled once for each instruction set (softmax_loops.inl). This header
// has plain types only and no inline functions, because the sources of each instruction set include it.
#pragma once

#include <stdint.h>

namespace ersatz {

enum class SoftmaxKind : uint8_t {
  Probabilities,
  Logarithms,
  HiddenRowsAreZero  ///< probabilities; but zeros for a row in which all elements are -inf
};

/// The largest number of columns that one call of SoftmaxLoops::columns computes.
constexpr int64_t kSoftmaxColumns = 64;

/// The loops for elements of C, computed in C.
template <class C>
struct SoftmaxLoops {
  /// Writes y = softmax(x) for a row of n elements. x and y may be the same memory.
  void (*row)(const C* x, C* y, int64_t n, SoftmaxKind kind) = nullptr;
  /// Writes y = softmax(x) for each of `width` columns of n elements at distance `inner`. `width` is at most
  /// kSoftmaxColumns. x and y may be the same memory. `scratch` has room for n * width elements.
  void (*columns)(const C* x, C* y, int64_t n, int64_t inner, int64_t width, C* scratch, SoftmaxKind kind) = nullptr;
};

struct SoftmaxLoopTable {
  SoftmaxLoops<float> of_float;
  SoftmaxLoops<double> of_double;
};

void fill_softmax_loops_baseline(SoftmaxLoopTable& table);
void fill_softmax_loops_avx2(SoftmaxLoopTable& table);
void fill_softmax_loops_avx512(SoftmaxLoopTable& table);

}  // namespace ersatz
