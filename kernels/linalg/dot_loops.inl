// Dot products for the instruction set of the file that includes this one (dot_loops_avx2.cpp or dot_loops_avx512.cpp).
//
// A tile has as many sums as a vector has lanes. Each sum is a vector register until all terms are added. One
// vec::row_sums then reduces the registers of a tile to its sums.
#include "kernels/linalg/dot_loops.h"
#include "kernels/vec/lanes.h"

namespace ersatz {
namespace {

using vec::unrolled;
using vec::Vec;
using V = Vec<float>;

constexpr int64_t kOfW = 4, kOfX = V::kLanes / kOfW;  // rows of w and of x in one tile

/// Writes the sums of a tile for its first `of_x` rows of x and `of_w` rows of w.
void write(const DotProblem& p, const float* sums, int64_t i, int64_t j, int64_t of_x, int64_t of_w) {
  for (int64_t r = 0; r < of_x; ++r) {
    float* const y = p.y + (i + r) * p.y_pitch + j;
    const float* const sum = sums + r * kOfW;
    if (p.alpha == 1 && p.beta == 0 && of_w == kOfW) {
      memcpy(y, sum, sizeof(float) * kOfW);
      continue;
    }
    for (int64_t c = 0; c < of_w; ++c) y[c] = p.beta == 0 ? p.alpha * sum[c] : p.alpha * sum[c] + p.beta * y[c];
  }
}

/// Computes one tile. At the end of x or w, missing rows are replaced by the last row, and their sums are not written.
void tile(const DotProblem& p, int64_t i, int64_t j) {
  const int64_t of_x = p.x_rows - i < kOfX ? p.x_rows - i : kOfX, of_w = p.w_rows - j < kOfW ? p.w_rows - j : kOfW;
  const float *x[kOfX], *w[kOfW];
  unrolled<kOfX>([&](int64_t r) { x[r] = p.x + (i + (r < of_x ? r : of_x - 1)) * p.x_pitch; });
  unrolled<kOfW>([&](int64_t r) { w[r] = p.w + (j + (r < of_w ? r : of_w - 1)) * p.w_pitch; });
  V sums[V::kLanes];
  unrolled<V::kLanes>([&](int k) { sums[k] = V(0.0f); });
  const auto add = [&](auto&& load) __attribute__((always_inline)) {
    V from_x[kOfX];
    unrolled<kOfX>([&](int64_t r) __attribute__((always_inline)) { from_x[r] = load(x[r]); });
    unrolled<kOfW>([&](int64_t c) __attribute__((always_inline)) {
      const V from_w = load(w[c]);
      unrolled<kOfX>([&](int64_t r) __attribute__((always_inline)) {
        sums[r * kOfW + c] = sums[r * kOfW + c] + from_x[r] * from_w;
      });
    });
  };
  int64_t c = 0;
  for (; c + V::kLanes <= p.terms; c += V::kLanes) add([&](const float* row) { return V::load(row + c); });
  if (c < p.terms) add([&](const float* row) { return V::load_part(row + c, p.terms - c, 0.0f); });
  float folded[V::kLanes];
  vec::row_sums(sums).store(folded);
  write(p, folded, i, j, of_x, of_w);
}

void dot_products(const DotProblem& p) {
  for (int64_t j = 0; j < p.w_rows; j += kOfW) {
    for (int64_t i = 0; i < p.x_rows; i += kOfX) tile(p, i, j);
  }
}

void fill_dot_loops(DotLoopTable& table) { table = {dot_products, kOfX == 4 ? 64 : 8}; }

}  // namespace
}  // namespace ersatz
