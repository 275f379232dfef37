// The loops of softmax over rows and columns, compiled once for each instruction set (softmax_loops.inl). These sources
// include this header too: it has plain types only and no inline functions.
#pragma once

#include <stdint.h>

namespace ersatz {

enum class SoftmaxKind : uint8_t {
  Probabilities,
  Logarithms,
  HiddenRowsAreZero  ///< probabilities; a row of -inf only becomes zeros
};

/// The largest number of columns in one call of a loop.
constexpr int64_t kSoftmaxColumns = 64;

/// Loops over elements of C, computed in C.
template <class C>
struct SoftmaxLoops {
  /// y = softmax(x) of a row of n elements. x and y may be the same memory.
  void (*row)(const C* x, C* y, int64_t n, SoftmaxKind kind) = nullptr;
  /// y = softmax(x) of each of `width` columns, at most kSoftmaxColumns, with n elements at distance `inner`. x and y
  /// may be the same memory. `scratch` holds n * width elements.
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
