// Products of few rows with many rows, as dot products, compiled once per instruction set (dot_loops.inl). The .inl
// files include this header too, so it has plain types only and no inline functions.
//
// A BLAS library packs its operands, which pays if each row is read many times. These loops read both operands in
// place.
#pragma once

#include <stdint.h>

namespace ersatz {

/// y[i, j] = alpha * sum over c of x[i, c] w[j, c], plus beta * y[i, j] unless beta is 0. The elements of a row are
/// adjacent; the pitches are the row strides.
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
  int64_t most_rows = 0;  ///< of x: with more rows a library that packs is faster
};

void fill_dot_loops_baseline(DotLoopTable& table);  ///< adds no loops
void fill_dot_loops_avx2(DotLoopTable& table);
void fill_dot_loops_avx512(DotLoopTable& table);

}  // namespace ersatz
