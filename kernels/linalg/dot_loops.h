// Products of few rows with many, as dot products: compiled once per instruction set
// (dot_loops.inl). Included by those files too: plain types only, no inline functions.
//
// A library packs its operands, which pays where each is read many times over. Here the rows of both are read where
// they are.
#pragma once

#include <stdint.h>

namespace ersatz {

/// y[i, j] = alpha * sum over c of x[i, c] w[j, c], + beta * y[i, j] unless beta is 0. Rows are dense, `pitch` apart.
struct DotProblem {
  const float* x = nullptr;
  const float* w = nullptr;
  float* y = nullptr;
  int64_t x_pitch = 0, w_pitch = 0, y_pitch = 0;
  int64_t x_rows = 0, w_rows = 0, terms = 0;
  float alpha = 1, beta = 0;
};

struct DotLoopTable {
  void (*of_float)(const DotProblem& problem) = nullptr;
  int64_t most_rows = 0;  ///< of x, with which it is faster than a library that packs
};

void fill_dot_loops_baseline(DotLoopTable& table);  ///< none
void fill_dot_loops_avx2(DotLoopTable& table);
void fill_dot_loops_avx512(DotLoopTable& table);

}  // namespace ersatz
