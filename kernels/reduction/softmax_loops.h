// The loops of softmax over rows and columns, compiled once per instruction set (softmax_loops.inl). Included by those
// files too: plain types only, no inline functions.
#pragma once

#include <stdint.h>

namespace ersatz {

enum class SoftmaxKind : uint8_t {
  Probabilities,
  Logarithms,
  HiddenRowsAreZero  ///< probabilities; a row of nothing but -inf becomes zeros
};

/// The most columns that are given to a loop at once.
constexpr int64_t kSoftmaxColumns = 64;

/// Loops over elements of C, in which they are computed too.
template <class C>
struct SoftmaxLoops {
  /// y = softmax(x) of a row of n elements; they may be the same.
  void (*row)(const C* x, C* y, int64_t n, SoftmaxKind kind) = nullptr;
  /// y = softmax(x) of each of `width` columns, kSoftmaxColumns at most, whose n elements lie `inner` apart; x and
  /// y may be the same. `scratch` holds n * width elements.
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
